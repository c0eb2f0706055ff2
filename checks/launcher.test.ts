// Gate: the product is started by its own commands.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { root } from './source-files.ts'

/**
 * Runs the launcher in a temporary project, where npm, Vite and the server are stand-ins that record how they were
 * called: scripts/project.mjs alone decides what is installed, built and passed on.
 */
let dir: string
const children: ChildProcess[] = []

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(dir, path)), { recursive: true })
  writeFileSync(join(dir, path), text)
}
const note = (word: string) =>
  `require('node:fs').appendFileSync(${JSON.stringify(join(dir, 'notes'))}, '${word}\\n')\n`
const notes = () =>
  existsSync(join(dir, 'notes')) ? readFileSync(join(dir, 'notes'), 'utf8').split('\n').slice(0, -1) : []
/** Where the launcher looks for the project's Node on this platform: the Node that runs these tests. */
const ownNode = process.execPath.slice(process.execPath.indexOf('node_modules'))
const lock = (version: string) =>
  JSON.stringify({ packages: { '': {}, 'node_modules/a': { version }, 'node_modules/b': { version, dev: true } } })
/** As npm notes what it installed without devDependencies. */
const withoutTools = JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0' } } })

const installStandIn = () => {
  write(
    'node_modules/vite/bin/vite.js',
    `${note('build')}require('node:fs').mkdirSync('dist', { recursive: true }); require('node:fs').writeFileSync('dist/index.html', '')`,
  )
  write('node_modules/vitest/vitest.mjs', `console.log('tests')`)
  write('node_modules/' + ownNode.split('/')[1] + '/include/node.h', '')
  mkdirSync(join(dir, dirname(ownNode)), { recursive: true })
  symlinkSync(process.execPath, join(dir, ownNode))
}

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'launcher-'))
  cpSync(join(root, 'scripts'), join(dir, 'scripts'), { recursive: true })
  write('package-lock.json', lock('1.0.0'))
  write('package.json', '{}')
  write('.npmrc', '')
  write('web/main.tsx', '')
  write(
    'server/main.ts',
    `for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => { console.log(signal); process.exit(0) })
     setInterval(() => {}, 1000)
     console.log('ready')`,
  )
  write(
    'npm/npm-cli.js',
    `const { appendFileSync, cpSync, rmSync, writeFileSync } = require('node:fs')
     const args = process.argv.slice(2)
     if (args[0] === 'config') return console.log('https://packages.example/npm')
     const hasTools = args.includes('--include=dev')
     appendFileSync(${JSON.stringify(join(dir, 'notes'))}, args[0] + (hasTools ? ' with tools\\n' : '\\n'))
     if (args[0] === 'ci') rmSync('node_modules', { recursive: true, force: true })
     const copy = (name) =>
       cpSync(${JSON.stringify(join(dir, 'packages'))} + name, 'node_modules' + name, { recursive: true, verbatimSymlinks: true })
     copy(args[0] === 'ci' ? '' : '/vitest')
     if (!hasTools) rmSync('node_modules/vitest', { recursive: true })
     writeFileSync('node_modules/.package-lock.json', hasTools ? ${JSON.stringify(lock('1.0.0'))} : ${JSON.stringify(withoutTools)})`,
  )
  installStandIn()
  cpSync(join(dir, 'node_modules'), join(dir, 'packages'), { recursive: true, verbatimSymlinks: true })
  rmSync(join(dir, 'node_modules'), { recursive: true })
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(dir, { recursive: true })
})

function launch(script = 'start.mjs', args: readonly string[] = [], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(dir, 'scripts', script), ...args], {
    env: { ...process.env, npm_execpath: join(dir, 'npm/npm-cli.js'), npm_lifecycle_event: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  let output = ''
  const ready = new Promise<void>((resolve) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('ready')) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
  })
  return { child, ready, ended: once(child, 'close'), output: () => output }
}

const startAndStop = async () => {
  const started = launch()
  await Promise.race([started.ready, started.ended])
  expect(started.output()).toContain('ready')
  started.child.kill('SIGTERM')
  await started.ended
}

test('the first start installs and builds, the next does neither', async () => {
  await startAndStop()
  expect(notes()).toEqual(['ci', 'build'])
  await startAndStop()
  expect(notes()).toEqual(['ci', 'build'])
})

test('a changed source is built, a changed test is not, a changed lockfile is installed', async () => {
  await startAndStop()
  write('web/main.tsx', '// changed')
  await startAndStop()
  expect(notes()).toEqual(['ci', 'build', 'build'])
  write('web/main.test.tsx', '')
  await startAndStop()
  expect(notes()).toEqual(['ci', 'build', 'build'])
  write('package-lock.json', lock('1.0.1'))
  await startAndStop()
  expect(notes()).toEqual(['ci', 'build', 'build', 'ci', 'build'])
})

test('the first test adds the tools of developers, and a later start keeps them', async () => {
  await startAndStop()
  expect(existsSync(join(dir, 'node_modules/vitest'))).toBe(false)
  expect(existsSync(join(dir, dirname(ownNode), '../include'))).toBe(false)
  for (const _ of [1, 2]) {
    const tests = launch('test.mjs')
    expect(await tests.ended).toEqual([0, null])
    expect(tests.output()).toContain('tests')
    await startAndStop()
  }
  expect(notes()).toEqual(['ci', 'build', 'install with tools'])
  write('package-lock.json', lock('1.0.1'))
  await startAndStop()
  expect(notes().slice(3)).toEqual(['ci with tools', 'build'])
})

test('npm gets each package’s address from the registry in use, and our lockfile stays without', async () => {
  write('npm/copies.cjs', `require('node:fs').cpSync('package-lock.json', ${JSON.stringify(join(dir, 'given.json'))})`)
  const npm = readFileSync(join(dir, 'npm/npm-cli.js'), 'utf8')
  write('npm/npm-cli.js', `if (process.argv[2] === 'ci') require('./copies.cjs')\n${npm}`)
  const scoped = {
    packages: {
      '': {},
      'node_modules/a': { version: '1.0.0' },
      'node_modules/c/node_modules/@d/e': { version: '2.0.0' },
    },
  }
  write('package-lock.json', JSON.stringify(scoped))
  await startAndStop()
  expect(JSON.parse(readFileSync(join(dir, 'given.json'), 'utf8'))).toEqual({
    packages: {
      '': {},
      'node_modules/a': { version: '1.0.0', resolved: 'https://packages.example/npm/a/-/a-1.0.0.tgz' },
      'node_modules/c/node_modules/@d/e': {
        version: '2.0.0',
        resolved: 'https://packages.example/npm/@d/e/-/e-2.0.0.tgz',
      },
    },
  })
  expect(JSON.parse(readFileSync(join(dir, 'package-lock.json'), 'utf8'))).toEqual(scoped)
})

test('a registry with other addresses is asked for them', async () => {
  const npm = readFileSync(join(dir, 'npm/npm-cli.js'), 'utf8')
  write(
    'npm/npm-cli.js',
    `if (process.argv[2] === 'ci' && process.cwd().endsWith('install')) { console.error('npm error code E404'); process.exit(1) }\n${npm}`,
  )
  await startAndStop()
  expect(notes()).toEqual(['ci', 'build'])
})

test('an npm that was ended is not called missing', async () => {
  write('npm/npm-cli.js', `process.kill(process.pid, 'SIGKILL')`)
  const started = launch()
  expect(await started.ended).toEqual([1, null])
  expect(started.output()).toContain('npm was ended by SIGKILL')
  expect(started.output()).not.toContain('not found')
})

test('what was installed by hand is not installed again', async () => {
  installStandIn()
  write('node_modules/.package-lock.json', lock('1.0.0'))
  await startAndStop()
  expect(notes()).toEqual(['build'])
})

test('an older package that was installed by hand is installed again', async () => {
  installStandIn()
  write('node_modules/.package-lock.json', lock('0.9.0'))
  await startAndStop()
  expect(notes()).toEqual(['ci with tools', 'build'])
})

test('without the locked Node nothing runs, even where another Node is installed', async () => {
  rmSync(join(dir, 'packages', ownNode.slice('node_modules/'.length)))
  const started = launch()
  expect(await started.ended).toEqual([1, null])
  expect(started.output()).toContain('Run "npm ci --include=optional"')
  expect(started.output()).not.toContain('ready')
})

test('without a network it says so in one sentence', async () => {
  write('npm/npm-cli.js', `console.error('npm error code ENOTFOUND'); process.exit(1)`)
  const onTerminal = '--import data:text/javascript,process.stdout.isTTY=true'
  const started = launch('start.mjs', [], { NODE_OPTIONS: onTerminal })
  expect(await started.ended).toEqual([1, null])
  expect(started.output()).toContain('connect to the network and run the same command again')
  expect(started.output()).toMatch(/Installing the packages .*: failed after \d+ s\n/)
})

test('without npm it says so in one sentence', async () => {
  const started = launch('start.mjs', [], { npm_execpath: '', PATH: '/nowhere' })
  expect(await started.ended).toEqual([1, null])
  expect(started.output()).toContain('npm was not found')
})

test('a web that does not build is not served', async () => {
  await startAndStop()
  write('node_modules/vite/bin/vite.js', `console.error('no such module'); process.exit(1)`)
  write('web/main.tsx', '// broken')
  const started = launch()
  expect(await started.ended).toEqual([1, null])
  expect(started.output()).toMatch(/no such module\n+The web could not be built/)
  expect(started.output()).not.toContain('ready')
})

test.each(['SIGINT', 'SIGTERM'] as const)('%s reaches the server, and its clean end is ours', async (signal) => {
  const started = launch()
  await started.ready
  started.child.kill(signal)
  expect(await started.ended).toEqual([0, null])
  expect(started.output()).toContain(signal)
})

test('the exit code and the arguments of a program are handed on', async () => {
  write('bench/main.ts', `console.log(process.argv.slice(2).join(' ')); process.exit(7)`)
  const started = launch('run.mjs', ['bench/main.ts', '--quick', 'x'])
  expect(await started.ended).toEqual([7, null])
  expect(started.output()).toContain('--quick x')
})

test('a server that is killed ends the launcher with an error', async () => {
  write('server/main.ts', `console.log('ready'); process.kill(process.pid, 'SIGKILL')`)
  expect(await launch().ended).toEqual([137, null])
})

test('when npm is stopped, the server is stopped too', async () => {
  // npm starts it the same way: through a shell, which exits without notifying the launcher.
  const shell = spawn('sh', ['-c', `"${process.execPath}" scripts/start.mjs; true`], {
    cwd: dir,
    env: { ...process.env, npm_execpath: join(dir, 'npm/npm-cli.js'), npm_lifecycle_event: 'start' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(shell)
  let output = ''
  const closed = once(shell.stdout, 'close')
  await new Promise<void>((resolve) =>
    shell.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('ready')) resolve()
    }),
  )
  shell.kill('SIGTERM')
  await closed
  expect(output).toContain('SIGTERM')
})

describe('advisories', () => {
  /** As npm reports them: one advisory of the package itself, and one through a dependency. */
  const found = {
    vulnerabilities: {
      b: { via: ['a'] },
      a: {
        via: [
          { source: 1, name: 'a', range: '<1.0.1', severity: 'high', title: 'Reads too far', url: 'https://a.example' },
        ],
      },
    },
  }
  const answer = (body: string) => write('npm/npm-cli.js', `process.stdout.write(${JSON.stringify(body)})`)
  const keep = (range: string) =>
    write(
      'scripts/known-advisories.json',
      JSON.stringify({
        askedAt: '2026-01-02T03:04:05.000Z',
        advisories: [{ package: 'a', range, severity: 'high', title: 'Reads too far', url: 'https://a.example' }],
      }),
    )
  beforeEach(() => {
    installStandIn()
    write('node_modules/.package-lock.json', lock('1.0.0'))
    symlinkSync(join(root, 'node_modules/semver'), join(dir, 'node_modules/semver'))
  })

  test('are asked of the registry, and its answer is kept', async () => {
    answer(JSON.stringify(found))
    const asked = launch('advisories.mjs')
    expect(await asked.ended).toEqual([1, null])
    expect(asked.output()).toContain('high  a 1.0.0: Reads too far')
    answer('')
    const later = launch('advisories.mjs')
    expect(await later.ended).toEqual([2, null])
    expect(later.output()).toContain('high  a 1.0.0: Reads too far')
  })

  test('none: the only case that ends well', async () => {
    answer(JSON.stringify({ vulnerabilities: {} }))
    const asked = launch('advisories.mjs')
    expect(await asked.ended).toEqual([0, null])
    expect(asked.output()).toContain('0 known advisories')
  })

  test.each([
    ['<1.0.1', '1 known advisory concerns'],
    ['<1.0.0', '0 known advisories concern'],
  ])('where the registry does not answer, those kept are compared with the lockfile: %s', async (range, sentence) => {
    answer(JSON.stringify({ message: 'request to https://a.example/x failed' }))
    keep(range)
    const asked = launch('advisories.mjs')
    expect(await asked.ended).toEqual([2, null])
    expect(asked.output()).toContain('The registry could not be asked: request to its address failed.')
    expect(asked.output()).toMatch(/The answer kept is \d+ days old, of 2026-01-02/)
    expect(asked.output()).toContain(sentence)
  })
})
