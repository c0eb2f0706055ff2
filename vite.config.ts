import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { serviceWorker } from './scripts/service-worker-plugin.ts'

const serverAddress = `http://127.0.0.1:${process.env['PORT'] ?? '3000'}`

/**
 * The web build: `index.html` and everything it reaches, into `dist/` with hashed names.
 *
 * Chunks follow the dynamic imports of the source (a route, the chart, the socket, the toasts); no chunk is named by
 * hand but the two the budget watches, so that nothing of theirs is ever pulled into the first load. The manifest is
 * what scripts/bundle-report.mjs weighs.
 */
export default defineConfig({
  plugins: [react(), tailwindcss(), serviceWorker()],
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
      output: {
        codeSplitting: {
          groups: [
            // Of every screen, and seldom changed: one file that browsers keep, and that compresses best.
            {
              name: 'core',
              test: /node_modules[\\/](react|react-dom|scheduler|use-sync-external-store|@tanstack[\\/](react-router|router-core|react-store|store|history))[\\/]/,
            },
            // What every screen is made of: one file instead of a dozen crumbs, each with its own name to be told.
            {
              name: 'shell',
              test: /[\\/]web[\\/](ui[\\/](class-names|button|card|field|text-input|states|skeleton|toast|offline-bar)|platform[\\/](texts|storage|theme|online|lazy-part|lazy-resolver)|layout[\\/](root|screen|route-states|navigation))\.tsx?$|lucide-react[\\/]dist[\\/]esm[\\/](Icon|createLucideIcon|shared|context)/,
            },
            { name: 'chart', test: /node_modules[\\/](lightweight-charts|fancy-canvas)[\\/]/ },
            { name: 'socket', test: /node_modules[\\/](socket\.io|engine\.io)/ },
          ],
        },
      },
    },
  },
})
