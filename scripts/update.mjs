// `npm run update`: takes an installation on one server to a newer version, and back to the old version if a step
// before 'proving' fails (docs/one-server.md, "A new version"). Runs under Node 20, with Node's own modules only.
import { spawn } from 'node:child_process'
import { appendFileSync, constants, cpSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { endLeftOver, programsHere, saysProcesses, SERVER, wordsOf } from './programs-here.mjs'
import { fail, root } from './project.mjs'

const USAGE = `npm run update -- [--check | --yes | --back] [--to TAG] [--backed-up]
                  [--service NAME | --stop COMMAND --start COMMAND]`
const folder = join(root, '.build/update')
const [next, before, stateFile] = ['next', 'before', 'state.json'].map((name) => join(folder, name))
const tookFile = join(root, '.build/update-took')
const logFile = join(root, '.build/update.log')
/** What is installed or built for a version, and is not in git. */
const MADE = ['node_modules', 'dist', 'dist-maps', '.build/web-stamp']
/** The steps in order. At 'proving' people play on the new version, so the update does not go back by itself. */
const STEPS = ['preparing', 'stopping', 'backing up', 'switching', 'starting', 'proving']
const FETCHED_WITHIN_MS = 120_000
const STOPPED_WITHIN_MS = 60_000
const NEVER_STARTED_MS = 15_000
/** A start migrates the database, which can take minutes for a large table. */
const READY_WITHIN_MS = 30 * 60_000

/** The state of this update, or of an interrupted one that this run continues; null while there is neither. */
let state = existsSync(stateFile) ? JSON.parse(readFileSync(stateFile, 'utf8')) : null
const wishes = readWishes()
const hasStarted = () => STEPS.indexOf(state.step) >= STEPS.indexOf('starting')

/** Reads the options. An update interrupted after 'preparing' keeps its options, except `--check` and `--back`. */
function readWishes() {
  const [flag, text] = [{ type: 'boolean' }, { type: 'string' }]
  const ways = { service: { type: 'string', default: 'kim-phien' }, stop: text, start: text }
  try {
    const options = { check: flag, yes: flag, back: flag, to: text, 'backed-up': flag, ...ways }
    const { values } = parseArgs({ options })
    if ((values.stop === undefined) !== (values.start === undefined)) fail('--stop and --start belong together.')
    const begun = state === null || state.step === 'preparing' ? {} : state.wishes
    return { ...values, ...begun, check: values.check, back: values.back }
  } catch (error) {
    return fail(`${error.message}\n${USAGE}`)
  }
}

function note(text) {
  try {
    mkdirSync(dirname(logFile), { recursive: true })
    appendFileSync(logFile, `${new Date().toISOString()} ${text.trimEnd()}\n`, { mode: 0o600 })
  } catch {
    // Ignored: for want of a log, such as on a full disk, no server may stay stopped.
  }
}

function say(text) {
  note(text)
  process.stdout.write(`${text}\n`)
}

/** Stores the state atomically: after a crash the file has the old or the new state. */
function keep(more) {
  const kept = { ...state, ...more, pid: process.pid }
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${stateFile}.new`, JSON.stringify(kept), { mode: 0o600, flush: true })
  renameSync(`${stateFile}.new`, stateFile)
  state = kept
}

function forget() {
  rmSync(folder, { recursive: true, force: true })
  return git('worktree', 'prune')
}

/** Runs a program, by default out of reach of Ctrl+C. Its output is logged, unless `isQuiet`. */
async function run(command, args, { isQuiet = false, ...more } = {}) {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], detached: true, ...more })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text))
  const code = await new Promise((done) => {
    child.on('error', (error) => done(error.message))
    // A command that writes straight to a file (its `stdout` is null) may start a server that keeps the file open, so
    // await `exit`, not `close`.
    child.on(child.stdout === null ? 'exit' : 'close', done)
  })
  if (!isQuiet) note(`${[command, ...args].join(' ')}: ${code}\n${output}`)
  return { code, output: output.trim() }
}

async function must(command, args, more) {
  const { code, output } = await run(command, args, more)
  if (code !== 0) throw new Error(output.split('\n').at(-1) || `${[command, ...args].join(' ')}: ${code}`)
  return output
}
const git = (...args) => must('git', args, { isQuiet: true })
const product = (name, ...args) => must(process.execPath, ['scripts/run.mjs', `server/commands/${name}.ts`, ...args])

/** Reads facts about this installation, which contain secrets: the output is not logged. Throws on a full disk. */
async function readFacts(...args) {
  const command = ['scripts/run.mjs', 'server/commands/facts.ts', ...args]
  return JSON.parse((await must(process.execPath, command, { isQuiet: true })).split('\n').at(-1))
}

const inOrder = (one, other) => one.localeCompare(other, 'en', { numeric: true })
const isAbove = (one, other) => inOrder(one, other) > 0

async function findNext(version) {
  const top = await run('git', ['rev-parse', '--show-toplevel'])
  if (top.code !== 0 || realpathSync(top.output) !== realpathSync(root))
    fail('This folder is no git clone: docs/one-server.md, step 3, leads to one.')
  const fetched = await run('git', ['fetch', '--tags', '--quiet'], { detached: false, timeout: FETCHED_WITHIN_MS })
  if (fetched.code !== 0) say('New versions could not be asked for (no network?); these are the ones known here.')
  const tags = (await git('tag')).split('\n').filter((tag) => /^v\d+\.\d+\.\d+$/.test(tag) && isAbove(tag, version))
  const newer = tags.toSorted(inOrder)
  if (wishes.to !== undefined && !newer.includes(wishes.to))
    fail(`${wishes.to} is no version above ${version}. There are: ${newer.join(', ') || 'none'}.`)
  return wishes.to ?? newer.at(-1) ?? null
}

async function describe(version, tag) {
  const migrations = await git('diff', '--name-only', '--diff-filter=A', 'HEAD', tag, '--', 'server/migrations')
  const packages = await git('diff', '--name-only', 'HEAD', tag, '--', 'package-lock.json')
  const sections = (await git('show', `${tag}:CHANGELOG.md`)).split(/^(?=## )/m).filter((section) => {
    const its = `v${/^## (\d\S*)/.exec(section)?.[1] ?? '0'}`
    return isAbove(its, version) && !isAbove(its, tag)
  })
  say(`${version} → ${tag}\n\n${sections.join('').trim() || 'The changelog says nothing of it.'}\n`)
  say(`Changes of the database: ${migrations === '' ? 'none' : migrations.split('\n').length}.`)
  say(packages === '' ? 'The packages stay.' : 'Packages change; they are fetched before anything is stopped.')
  return packages !== ''
}

const ask = () => fetch(`${state.address}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
const isServing = async () => programsHere(SERVER).length > 0 || (await ask()) !== null

async function findManager() {
  const { stop: stopBy, start: startBy, service } = wishes
  if (stopBy !== undefined) {
    const log = openSync(logFile, 'a')
    const shell = (command) => must('sh', ['-c', command], { stdio: ['ignore', log, log] })
    return { stop: () => shell(stopBy), start: () => shell(startBy), said: async () => '' }
  }
  const { output } = await run('systemctl', ['show', service, '--property=LoadState,MainPID,WorkingDirectory'])
  const property = (name) => new RegExp(`^${name}=(.*)$`, 'm').exec(output)?.[1] ?? ''
  if (property('LoadState') !== 'loaded')
    fail(`There is no service ${service}: name it by --service, or give --stop COMMAND --start COMMAND.`)
  if (resolve(property('WorkingDirectory')) !== resolve(root))
    fail(`The service ${service} runs from ${property('WorkingDirectory')}: update there, or name another one.`)
  const other = programsHere(SERVER).find((pid) => pid !== property('MainPID'))
  if (other !== undefined)
    fail(`A server that is not the service ${service} runs from this folder, as process ${other}: end it first.`)
  if (process.getuid() !== 0) fail(`Only root may stop the service ${service}: sudo npm run update`)
  return {
    stop: () => must('systemctl', ['stop', service]),
    start: () => must('systemctl', ['start', service]),
    said: async () => (await run('journalctl', ['-u', service, '-n', '20', '-o', 'cat', '--no-pager'])).output,
  }
}

async function refuse(tag) {
  const changes = await git('status', '--porcelain')
  if (changes !== '') fail(`Files were changed here; put them away (git stash -u) first:\n${changes}`)
  const own = await git('rev-list', '--max-count=1', 'HEAD', '--not', '--tags', '--remotes')
  if (own !== '') fail(`This clone has commits of its own (${own.slice(0, 12)}): merge ${tag} and go there by hand.`)
  const facts = await readFacts().catch(({ message }) => fail(message))
  for (const name of facts.databaseUrl === null || wishes['backed-up'] ? [] : ['pg_dump', 'pg_restore', 'psql'])
    if ((await run(name, ['--version'])).code !== 0)
      fail(`${name} is missing: install postgresql-client, or make a backup yourself and say --backed-up.`)
  return facts
}

async function confirm({ bytes }) {
  say(
    existsSync(tookFile)
      ? `At the update before people waited for ${readFileSync(tookFile, 'utf8')} s.`
      : `How long people wait is unknown yet: for a backup of ${(bytes / 1e9).toFixed(1)} GB, its proof, and a start.`,
  )
  if (wishes.yes) return
  if (!process.stdin.isTTY) fail('Nothing was changed. Without a terminal say --yes.')
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await lines.question('Go on? (y/n) ')
  lines.close()
  if (!/^\s*y/i.test(answer)) fail('Nothing was changed.')
}

async function prepare(doPackagesChange) {
  say('Preparing the new version; the server goes on meanwhile …')
  await git('worktree', 'add', '--detach', '--force', next, state.tag)
  const copying = { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE }
  if (!doPackagesChange) cpSync(join(root, 'node_modules'), join(next, 'node_modules'), copying)
  const build = `import { ensureInstalled, ensureWebBuilt } from './scripts/project.mjs'
    await ensureWebBuilt(await ensureInstalled(), { mayStartNew: false })`
  await must(process.execPath, ['--input-type=module', '-e', build], { cwd: next })
}

async function stop(manager) {
  const failure = await manager.stop().catch((error) => error)
  if (failure instanceof Error && (await isServing())) throw failure
  const giveUpAt = Date.now() + STOPPED_WITHIN_MS
  while (await isServing()) {
    if (Date.now() > giveUpAt) throw new Error('the server goes on after it was stopped')
    await sleep(100)
  }
}

async function start(manager) {
  if (!(await isServing())) await manager.start()
  const startedAt = Date.now()
  const seen = new Set()
  while ((await ask())?.status !== 200) {
    const pids = programsHere(SERVER)
    for (const pid of pids) seen.add(pid)
    const waitedMs = Date.now() - startedAt
    const isGone = pids.length === 0 && (seen.size > 0 || waitedMs > NEVER_STARTED_MS)
    // A service manager restarts a server that ends, so a second pid means that the first server has ended.
    if (saysProcesses && (isGone || seen.size > 1))
      throw new Error(`the server ended before it was ready\n${await manager.said()}`.trim())
    if (waitedMs > READY_WITHIN_MS) throw new Error('the server does not get ready')
    await sleep(200)
  }
}

/**
 * Returns the database's address without its password, and the options to run a program of PostgreSQL as the owner of
 * DATA_DIR. The options pass the password by the environment, because `ps` shows arguments.
 */
function asServer({ databaseUrl, dataDir }) {
  const { uid, gid } = statSync(dataDir)
  const more = process.getuid() === 0 ? { uid, gid } : {}
  const [, name, password] = /^(\w+:\/\/[^:@/]*):([^@/]*)@/.exec(databaseUrl) ?? []
  if (password === undefined) return [databaseUrl, more]
  const env = { ...process.env, PGPASSWORD: decodeURIComponent(password) }
  return [name + databaseUrl.slice(`${name}:${password}`.length), { ...more, env }]
}

async function backUp(facts) {
  if (facts.databaseUrl === null) {
    // The backup gets a folder of its own, because the server deletes old backups in the folder `facts.backups`.
    const said = await product('backup', '--to', join(facts.backups, `before-${state.tag}`))
    return said.split('\n').find((line) => line.endsWith('.backup')) ?? null
  }
  if (wishes['backed-up']) return null
  const path = join(facts.backups, `before-${state.tag}-${state.begunAt.replaceAll(/\W/g, '')}.dump`)
  const [url, more] = asServer(facts)
  // A dump that fails or is killed leaves a part of a file. One update runs at a time, so any other part is left over.
  const dump = `umask 077; folder=$(dirname "$0"); mkdir -p "$folder" && rm -f "$folder"/before-*.dump.part &&
    pg_dump --format=custom --file="$0.part" --dbname="$1" && mv "$0.part" "$0" || { rm -f "$0.part"; exit 1; }`
  await must('sh', ['-c', dump, path, url], more)
  return path
}

function switchMade() {
  mkdirSync(join(before, '.build'), { recursive: true })
  for (const name of MADE.filter((one) => existsSync(join(next, one)))) {
    if (existsSync(join(root, name))) renameSync(join(root, name), join(before, name))
    renameSync(join(next, name), join(root, name))
  }
}
function switchMadeBack() {
  for (const name of MADE.filter((one) => existsSync(join(before, one)))) {
    rmSync(join(root, name), { recursive: true, force: true })
    renameSync(join(before, name), join(root, name))
  }
}

async function finish(manager) {
  keep({ step: 'starting' })
  say('Starting it …')
  await start(manager)
  const waited = Math.round((Date.now() - Date.parse(state.stoppedAt)) / 1000)
  // People play from here on, even if the disk is too full to say so in the file.
  state.step = 'proving'
  keep({})
  say('It is ready. Proving the books …')
  for (const name of ['audit-ledger', 'audit-log']) say(await product(name))
  writeFileSync(tookFile, String(waited))
  say(`${state.tag} runs; people waited for ${waited} s.${state.backup ? ` The data before it: ${state.backup}` : ''}`)
  await forget()
}

async function restoreData(facts) {
  keep({ isRestored: true })
  if (!state.backup) throw new Error(`the database is of ${state.tag}: restore your own backup of ${state.stoppedAt}`)
  if (facts.databaseUrl === null) return say(await product('restore', '--aside', '--from', state.backup))
  const [url, more] = asServer(facts)
  const aside = `replaced_${new Date().toISOString().replaceAll(/\D/g, '')}`
  const move = `alter schema public rename to ${aside}; create schema public authorization pg_database_owner;
    grant usage on schema public to public`
  const asOne = ['--no-psqlrc', '--quiet', '--set=ON_ERROR_STOP=1', '--single-transaction']
  await must('psql', [...asOne, `--command=${move}`, url], more)
  const whole = ['--exit-on-error', '--single-transaction', '--no-owner', '--schema=public']
  await must('pg_restore', [...whole, `--dbname=${url}`, state.backup], more)
  say(`The data of ${state.stoppedAt} are restored. What was there is in the schema ${aside}.`)
}

/** Goes back to the old version, and restores the data if the old version does not know the database's migrations. */
async function goBack(manager, why) {
  say(`${why}\nGoing back to ${state.version} …`)
  try {
    try {
      // Git and the state need room, which on a full disk the new version gives back.
      rmSync(next, { recursive: true, force: true })
      keep({ isGoingBack: true, why })
    } catch (error) {
      // The disk may be full. Before 'starting', an interrupted update goes back even if that is not noted.
      if (hasStarted()) throw error
    }
    // Before 'switching', files and database are those of the old version.
    if (STEPS.indexOf(state.step) >= STEPS.indexOf('switching')) {
      await stop(manager)
      rmSync(resolve(root, await git('rev-parse', '--git-path', 'index.lock')), { force: true })
      await git('checkout', '--quiet', '--force', state.from)
      switchMadeBack()
      // If the machine was restarted while 'switching', the new version may have run and have migrated the database.
      const facts = await readFacts('--stopped')
      if (!facts.isKnown) await restoreData(facts)
    }
    // A restored log must not sign other entries at indexes that were published before (docs/operations/backup.md).
    if (state.isRestored) await product('log-restart', '--why', 'RESTORED').catch((error) => say(error.message))
    await start(manager)
    say(`${state.version} runs again, as before the update. The log of all this: ${logFile}`)
    await forget()
  } catch (error) {
    say(`The way back stands still: ${error.message}\nOnce that is mended, npm run update goes on. See ${logFile}`)
  }
  process.exit(1)
}

/** Finishes an interrupted update or takes it back, and exits. Returns only if that update had changed nothing yet. */
async function resume() {
  if (wordsOf(state.pid).some((word) => word.endsWith('update.mjs')))
    fail(`An update runs already, as process ${state.pid}; it writes to ${logFile}`)
  const { tag, begunAt, step, isGoingBack, why } = state
  say(`The update to ${tag} of ${begunAt} was interrupted: ${step}${isGoingBack ? ', going back' : ''}.`)
  if (step === 'preparing') return
  const manager = await findManager()
  outlive('SIGHUP', 'SIGINT', 'SIGTERM')
  await endLeftOver()
  if (isGoingBack || wishes.back || !hasStarted()) await goBack(manager, why ?? 'It does not go on.')
  await finish(manager).catch(stayHere)
  process.exit(0)
}

/** Ends this program and keeps the new version: only the operator may decide to give up the data written by it. */
function stayHere({ message }) {
  say(`It could not be finished: ${message}
npm run update -- --back goes back to ${state.version} and the data of ${state.stoppedAt}, and sets aside what came since.`)
  process.exit(1)
}

/** Keeps the given signals, and errors of output streams that the terminal has closed, from ending this process. */
function outlive(...signals) {
  for (const signal of signals) process.on(signal, () => note(`${signal}: the update goes on`))
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}

async function update(version, tag) {
  const doPackagesChange = await describe(version, tag)
  if (wishes.check) return process.exit(3)
  const facts = await refuse(tag)
  const manager = await findManager()
  await confirm(facts)
  await forget()
  const branch = await run('git', ['symbolic-ref', '--short', '--quiet', 'HEAD'])
  const from = branch.code === 0 ? branch.output : await git('rev-parse', 'HEAD')
  state = { version, tag, from, address: facts.address, begunAt: new Date().toISOString(), wishes }
  keep({ step: 'preparing' })
  // Until the server is stopped, Ctrl+C ends the update, but a lost connection does not.
  outlive('SIGHUP')
  try {
    await prepare(doPackagesChange)
  } catch (error) {
    await forget()
    fail(`Nothing was changed: ${error.message}\nThe log of all this: ${logFile}`)
  }
  outlive('SIGINT', 'SIGTERM')
  try {
    keep({ step: 'stopping', stoppedAt: new Date().toISOString() })
    say('Stopping the server …')
    await stop(manager)
    keep({ step: 'backing up' })
    say('Making a backup …')
    keep({ backup: await backUp(facts), step: 'switching' })
    await git('checkout', '--quiet', '--detach', tag)
    switchMade()
    await finish(manager)
  } catch (error) {
    if (state.step === 'proving') stayHere(error)
    await goBack(manager, `The update failed while ${state.step}: ${error.message}`)
  }
}

if (state !== null && !wishes.check) await resume()
if (wishes.back) fail('No update was interrupted: docs/operations/backup.md, "Back to the version before".')
const current = `v${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version}`
const newest = await findNext(current)
if (newest === null) say(`${current} is the newest version.`)
else await update(current, newest)
