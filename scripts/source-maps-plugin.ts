import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const mapsDir = fileURLToPath(new URL('../dist-maps', import.meta.url))

/** Moves the source maps into `dist-maps/`, which the server does not serve, for `npm run stack`. */
export function keepSourceMaps(): Plugin {
  return {
    name: 'keep-source-maps',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        rmSync(mapsDir, { recursive: true, force: true })
        mkdirSync(mapsDir)
        for (const [fileName, file] of Object.entries(bundle)) {
          if (file.type !== 'asset' || !fileName.endsWith('.map')) continue
          const map = JSON.parse(String(file.source)) as { mappings: string }
          // compile-hints-plugin.ts adds a line above the code, so the map gets an empty first line.
          if (bundle[fileName.slice(0, -'.map'.length)]?.type === 'chunk') map.mappings = `;${map.mappings}`
          writeFileSync(join(mapsDir, basename(fileName)), JSON.stringify(map))
          delete bundle[fileName]
        }
      },
    },
  }
}
