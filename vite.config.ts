import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { checkChunks, chunkGroups } from './scripts/chunks-plugin.ts'
import { compileHints } from './scripts/compile-hints-plugin.ts'
import { headScript, target } from './scripts/head-plugin.ts'
import { precompress } from './scripts/precompress-plugin.ts'
import { serviceWorker } from './scripts/service-worker-plugin.ts'
import { keepSourceMaps } from './scripts/source-maps-plugin.ts'

const serverAddress = `http://127.0.0.1:${process.env['PORT'] ?? '3000'}`

/**
 * The web build: `index.html` and everything it imports, into `dist/` with hashed names.
 *
 * Chunks follow the dynamic imports of the source (a route, the chart, the socket, the toasts). web/boot/chunks.ts
 * groups modules that load together. scripts/bundle-report.mjs reads the manifest to measure the bundle.
 */
export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    headScript(),
    checkChunks(),
    compileHints(),
    serviceWorker(),
    keepSourceMaps(),
    precompress(),
  ],
  // `npm run dev`: Vite serves the web, and passes calls of these paths to the server.
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': serverAddress,
      '/docs': serverAddress,
      '/log': serverAddress,
      '/socket.io': { target: serverAddress, ws: true },
    },
  },
  build: {
    outDir: 'dist',
    manifest: true,
    // The scripts do not reference their source maps: scripts/source-maps-plugin.ts moves the maps into a folder that
    // no server serves.
    sourcemap: 'hidden',
    target,
    // No file becomes a data: URL, which is not cached by itself and, for a font, is blocked by `font-src 'self'`.
    assetsInlineLimit: 0,
    // No polyfill: of the supported browsers, only Safari before 17 preloads no modules. It loads the chunks later.
    modulePreload: {
      polyfill: false,
      // The page itself loads the chunks core, shell and rolldown-runtime before any script asks for more, so scripts
      // that name them again would only add bytes to the first load.
      resolveDependencies: (_, files, { hostType }) =>
        hostType === 'html' ? files : files.filter((file) => !/\/(?:core|shell|rolldown-runtime)-/.test(file)),
    },
    rolldownOptions: {
      // Inlines the contract's sentences and limits where they are used; otherwise all of them would be part of the
      // first load.
      optimization: { inlineConst: { mode: 'all', pass: 1 } },
      output: {
        // Hashes are short, because every file of the first load names the files that it may load, and random letters
        // do not compress.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting: {
          groups: chunkGroups(),
        },
      },
    },
  },
})
