// `npm run check`: runs the checks that need no browser, and exits with 1 after the last check if any failed.
// `--skip-tests` leaves out the tests, which `.ci/run` runs in stages of their own.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { collect, ensureInstalled, ensureWebBuilt, root } from './project.mjs'

const bin = (path) => join('node_modules', path)
const areTestsSkipped = process.argv.includes('--skip-tests')

/** `files` reads the number of a step's files from its output. A step that read no files fails, too. */
const steps = [
  { name: 'format', args: [bin('oxfmt/bin/oxfmt'), '--check'], files: lastNumber(/ on (\d+) files/g) },
  {
    name: 'lint',
    args: [bin('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings'],
    files: lastNumber(/ on (\d+) files/g),
  },
  { name: 'types', args: [bin('typescript/bin/tsc'), '-b'], files: typedFiles },
  {
    name: 'dead code',
    args: [
      ...[bin('knip/bin/knip.js'), '--no-progress', '--treat-config-hints-as-errors'],
      ...['--reporter', 'symbols', '--reporter', './scripts/knip-count.mjs'],
    ],
    files: lastNumber(/knip looked at (\d+) files/g),
  },
  ...(areTestsSkipped
    ? []
    : [
        {
          name: 'tests',
          args: [bin('vitest/vitest.mjs'), 'run'],
          files: lastNumber(/Test Files .*?(\d+) passed/g),
        },
      ]),
  { name: 'bundle', args: ['scripts/bundle-report.mjs'], files: lastNumber(/gzip KiB of (\d+) built parts/g) },
]

const node = await ensureInstalled({ tools: true })
let hasFailed = false
for (const { name, args, files } of steps) {
  if (name === 'bundle') await ensureWebBuilt(node)
  const startedAt = performance.now()
  const { code, output } = await collect(node, args, { NO_COLOR: '1', FORCE_COLOR: '0' })
  const count = files(output)
  const isFine = code === 0 && count > 0
  hasFailed ||= !isFine
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  if (!isFine) process.stdout.write(`${output}\n`)
  process.stdout.write(`${isFine ? 'ok    ' : 'FAILED'}  ${name.padEnd(10)} ${seconds.padStart(6)} s  ${count} files\n`)
}
process.exit(hasFailed ? 1 : 0)

function lastNumber(pattern) {
  return (output) => Number([...output.matchAll(pattern)].at(-1)?.[1] ?? 0)
}

/** Counts the project's files that tsc read. Only tsc's build info lists them, not its output. */
function typedFiles() {
  const notes = readdirSync(join(root, '.build')).filter((name) => name.endsWith('.tsbuildinfo'))
  const files = notes.flatMap((name) => JSON.parse(readFileSync(join(root, '.build', name), 'utf8')).fileNames)
  return new Set(files.filter((file) => file.startsWith('../') && !file.includes('node_modules'))).size
}
