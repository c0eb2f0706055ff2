/**
 * `npm run cluster [-- start|status|revive|stop] [--dir FOLDER] [--base-port N]`: runs a whole cluster on this machine,
 * to try it out and to kill parts of it (docs/cluster.md).
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { HOST, PORT_SPAN, portsFrom } from './parts.ts'
import { isRunning } from './processes.ts'
import { missingPackages, revive, startCluster } from './start.ts'
import { databaseUrl, readState, readStoredSecrets } from './state.ts'
import { readStatus } from './status.ts'
import { stopCluster } from './stop.ts'

const USAGE = 'npm run cluster [-- start|status|revive|stop] [--dir FOLDER] [--base-port N]'

const FOLDER = './cluster'

const say = (text: string): void => void process.stdout.write(`${text}\n`)

function fail(text: string, code = 1): never {
  process.stderr.write(`${text}\n`)
  process.exit(code)
}

function readArguments(): { readonly command: string; readonly folder: string; readonly basePort: number } {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { dir: { type: 'string', default: FOLDER }, 'base-port': { type: 'string', default: '7100' } },
    })
    const basePort = Number(values['base-port'])
    if (!Number.isInteger(basePort) || basePort < 1024 || basePort + PORT_SPAN > 65_535 || positionals.length > 1)
      fail(USAGE, 2)
    return { command: positionals[0] ?? 'start', folder: resolve(values.dir), basePort }
  } catch {
    return fail(USAGE, 2)
  }
}

const table = (rows: readonly (readonly string[])[]): string => {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? []
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

async function start(folder: string, basePort: number): Promise<void> {
  const running = readState(folder)?.members.filter(isRunning) ?? []
  if (running.length > 0) fail(`It runs already: ${running.length} processes. npm run cluster -- status | stop`)
  const missing = missingPackages()
  if (missing !== null) fail(`Something is missing on this machine:\n\n    ${missing}\n`)
  if (!existsSync('dist/index.html')) execFileSync('npm', ['run', 'build'], { stdio: 'inherit' })
  const { members } = await startCluster(folder, basePort, say)
  const ports = portsFrom(basePort)
  const secrets = readStoredSecrets(folder)
  say('')
  say(
    table([
      ['what', 'pid', 'address', 'log'],
      ...members.map(({ name, pid, launch }) => [name, String(pid), launch.address, launch.log]),
    ]),
  )
  say('')
  say(`Web       http://${HOST}:${ports.haproxyWeb}  (admin / ${secrets.admin})`)
  say(`Database  ${databaseUrl(ports.haproxyPostgres, secrets)}`)
  say(`HAProxy   http://${HOST}:${ports.haproxyStats}`)
  say(
    `Kill what you like. npm run cluster -- status | revive | stop${folder === resolve(FOLDER) ? '' : ` --dir ${folder}`}`,
  )
}

async function stop(folder: string): Promise<void> {
  const count = await stopCluster(folder)
  say(count === 0 ? `Nothing runs in ${folder}.` : `${count} processes have ended. What they stored is in ${folder}.`)
}

async function main(): Promise<void> {
  const { command, folder, basePort } = readArguments()
  if (command === 'start') return start(folder, basePort)
  if (command === 'stop') return stop(folder)
  if (command === 'revive') {
    const names = revive(folder)
    return say(names.length === 0 ? 'Everything runs.' : `Started again: ${names.join(', ')}`)
  }
  if (command !== 'status') fail(USAGE, 2)
  const state = readState(folder)
  if (state === null || state.members.length === 0)
    return fail(`Nothing runs in ${folder}: npm run cluster [-- --dir FOLDER]`)
  const rows = await readStatus(folder, state, readStoredSecrets(folder))
  say(table(rows.map(({ name, pid, says }) => [name, pid, says])))
  process.exitCode = rows.every(({ isWell }) => isWell) ? 0 : 1
}

await main().catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)))
// An open connection or a child process could keep this process running.
process.exit()
