// `npm run stack [-- FOLDER] < stack.txt`: translates a stack trace of the built web client to source positions by the
// source maps in FOLDER or `dist-maps/`. A line whose file has no map there is printed unchanged.
import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { root } from './project.mjs'

const mapsDir = process.argv[2] ?? join(root, 'dist-maps')
const maps = new Map()

function mapOf(fileName) {
  const path = join(mapsDir, `${fileName}.map`)
  if (!maps.has(fileName) && existsSync(path)) maps.set(fileName, new SourceMap(JSON.parse(readFileSync(path, 'utf8'))))
  return maps.get(fileName)
}

const stack = await text(process.stdin)
process.stdout.write(
  stack.replace(/(?:[^\s(@"]*\/)?\bassets\/([\w.-]+\.js):(\d+):(\d+)/g, (place, fileName, line, column) => {
    const entry = mapOf(fileName)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (entry?.originalSource === undefined) return place
    const source = entry.originalSource.replace(/^(?:\.\.\/)+/, '')
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  }),
)
