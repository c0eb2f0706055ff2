import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import type { Plugin } from 'vite'

const compressible = /\.(?:js|css|svg|html|webmanifest)$/

/** Compresses the built text files at Brotli's default level, the highest, for server/platform/http/static.ts. */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    enforce: 'post',
    // This hook runs after the files of public/ were copied.
    writeBundle({ dir }) {
      if (dir === undefined) throw new Error('The build has no folder.')
      for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name)
        if (!entry.isFile() || !compressible.test(path)) continue
        const text = readFileSync(path)
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: text.length }
        writeFileSync(`${path}.br`, brotliCompressSync(text, { params }))
      }
    },
  }
}
