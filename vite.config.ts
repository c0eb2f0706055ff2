import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compileHints } from './scripts/compile-hints-plugin.ts'
import { headScript } from './scripts/head-plugin.ts'
import { precompress } from './scripts/precompress-plugin.ts'
import { serviceWorker } from './scripts/service-worker-plugin.ts'

const serverAddress = `http://127.0.0.1:${process.env['PORT'] ?? '3000'}`

/**
 * The web build: `index.html` and everything it reaches, into `dist/` with hashed names.
 *
 * Chunks follow the dynamic imports of the source (a route, the chart, the socket, the toasts); the groups below put
 * together what comes together. The manifest is what scripts/bundle-report.mjs weighs.
 */
export default defineConfig({
  plugins: [react(), tailwindcss(), headScript(), compileHints(), serviceWorker(), precompress()],
  // `npm run dev`: the page is Vite's, everything else the server's.
  server: {
    host: '127.0.0.1',
    proxy: { '/api': serverAddress, '/docs': serverAddress, '/socket.io': { target: serverAddress, ws: true } },
  },
  build: {
    outDir: 'dist',
    manifest: true,
    sourcemap: false,
    target: ['chrome111', 'edge111', 'firefox128', 'safari16.4'],
    // A data: URL would defeat the cache and, for fonts, the content security policy (`font-src 'self'`).
    assetsInlineLimit: 0,
    // All our targets preload modules themselves; the polyfill would only add to the first load.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // The contract's sentences and limits go where they are used; else all of them would be part of the first load.
      optimization: { inlineConst: { mode: 'all', pass: 1 } },
      output: {
        codeSplitting: {
          groups: [
            // Of every screen, and seldom changed: one file that browsers keep, and that compresses best.
            {
              name: 'core',
              test: /node_modules[\\/](react|react-dom|scheduler|use-sync-external-store|@tanstack[\\/](react-router|router-core|react-store|store|history))[\\/]/,
            },
            // What every screen is made of. A browser has six connections to a server and a phone's answer takes its
            // time: a dozen crumbs, each asked for by name, cost more than their few kilobytes.
            {
              name: 'shell',
              test: /[\\/]web[\\/](ui[\\/](class-names|button|card|field|form-failure|text-input|states|skeleton|toast|offline-bar)|platform[\\/](texts|early-calls|pause|storage|session|theme|font|online|lazy-part)|layout[\\/](root|screen|route-states|navigation|sign-in-frame|layout-texts)|features[\\/]identity[\\/](support-contact|sign-in-texts|change-password-texts))\.tsx?$|lucide-react[\\/]dist[\\/]esm[\\/](Icon|createLucideIcon|shared|context)/,
            },
            { name: 'chart', test: /node_modules[\\/](lightweight-charts|fancy-canvas)[\\/]/ },
            // Behind the access token, in the player's app and in the back office; the sign-in form fetches it ahead.
            {
              name: 'signed-in',
              test: /[\\/]node_modules[\\/]@tanstack[\\/](react-query|query-core)[\\/]|[\\/]web[\\/](ui[\\/](amounts|badge|banner|monogram|play-money-line|ticking-text)|platform[\\/](outbox|query-client|query-keys|formats|media-query|search-text|ticker|tones|socket)|layout[\\/](guarded-area|paused-account|unread-count|keyboard|tab-bar)|features[\\/](identity[\\/](api|use-me|public-config)|market[\\/]api|wallet[\\/]balance))\.tsx?$|lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/](arrow-left-right|chart-candlestick|chevron-(down|left|right)|headset|house|info|lock|refresh-cw|scroll-text|shield-check|timer|trending-(up|down)|triangle-exclamation-point|wallet|x)\.mjs$/,
            },
            {
              name: 'socket',
              test: /node_modules[\\/](socket\.io|engine\.io)|[\\/]contract[\\/](chat|events)\.ts$/,
            },
            // Rounds, bets and prices, wherever a player sees them.
            {
              name: 'play',
              test: /[\\/]node_modules[\\/]react-number-format[\\/]|[\\/]web[\\/](ui[\\/](number-input|segmented-control|tabs)|features[\\/]game[\\/](api|bet-words|loading-bets))\.tsx?$/,
            },
            {
              name: 'dialog',
              test: /[\\/]web[\\/](ui[\\/](dialog|confirm-dialog)|features[\\/]account[\\/]use-log-out)\.tsx$/,
            },
            // Icons of the other screens.
            { name: 'icons', test: /lucide-react[\\/]dist[\\/]esm[\\/]icons/, minShareCount: 2 },
            { name: 'cashier', test: /[\\/]contract[\\/]cashier\.ts$/ },
            // The back office's frame, and what surrounds each of its tables.
            {
              name: 'office',
              test: /[\\/]contract[\\/]back-office\.ts$|[\\/]web[\\/](layout[\\/]admin-(?!area)[a-z-]+|ui[\\/](stake-bar|data-table[\\/](row-menu|row-button|use-admin-list|use-table-search)))\.tsx?$/,
            },
            // Customer care, for players and staff: the session and what stands around a conversation.
            {
              name: 'care',
              test: /[\\/]web[\\/]features[\\/]chat[\\/](chat-session|chat-frame|chat-texts|api|use-chat|use-open-in-history|person|sound)\.tsx?$/,
            },
          ],
        },
      },
    },
  },
})
