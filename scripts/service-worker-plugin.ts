import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin, Rolldown } from 'vite'
import { reach } from './bundle-graph.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = join(root, 'web/service-worker.js')
const publicDir = join(root, 'public')

const backOffice =
  /\/web\/(?:screens\/admin\/|layout\/admin-|features\/chat\/(?:canned-list|customer-panel|hand-over|replies-sheet)\.|features\/disputes\/answer-dialog\.)/

function playersChunks(bundle: Rolldown.OutputBundle): readonly string[] {
  const entries = Object.values(bundle).filter((output) => output.type === 'chunk' && output.isEntry)
  const isPlayers = (fileName: string) => {
    const chunk = bundle[fileName]
    return chunk?.type === 'chunk' && !backOffice.test(chunk.facadeModuleId ?? '')
  }
  const nextOf = (fileName: string) => {
    const chunk = bundle[fileName]
    return chunk?.type === 'chunk' ? [...chunk.imports, ...chunk.dynamicImports].filter(isPlayers) : []
  }
  return [
    ...reach(
      entries.map(({ fileName }) => fileName),
      nextOf,
    ),
  ]
}

/**
 * Writes `sw.js`: web/service-worker.js with the list of files that it caches, and with a version. The version is a
 * hash of the files, so that a build without changes causes no update.
 */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const players = playersChunks(bundle)
      const office = players.find(
        (fileName) => bundle[fileName]?.type === 'chunk' && bundle[fileName].name === 'office',
      )
      if (office !== undefined)
        throw new Error(`Players’ phones would keep ${office}: a player's screen shares a module with the back office.`)
      const isKeptAsset = (fileName: string) => /\.(?:css|woff2)$/.test(fileName)
      const built = [...players, ...Object.keys(bundle).filter(isKeptAsset), 'index.html'].toSorted()
      const copied = readdirSync(publicDir)
        .filter((fileName) => /\.(?:svg|js|webmanifest)$/.test(fileName))
        .toSorted()
      const hash = createHash('sha256')
      for (const fileName of built) {
        const output = bundle[fileName]
        if (output === undefined) throw new Error(`The build has no ${fileName}.`)
        hash.update(`${fileName}\0`).update(output.type === 'chunk' ? output.code : output.source)
      }
      for (const fileName of copied) hash.update(`${fileName}\0`).update(readFileSync(join(publicDir, fileName)))
      const files = [...built, ...copied].map((fileName) => `/${fileName}`)
      const head = `const version = ${JSON.stringify(hash.digest('hex').slice(0, 16))}\nconst files = ${JSON.stringify(files)}\n`
      this.emitFile({ type: 'asset', fileName: 'sw.js', source: head + readFileSync(source, 'utf8') })
    },
  }
}
