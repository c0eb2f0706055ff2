// Gate: whole versions of the product are built and started.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { chmodSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { openNative } from '#server/platform/database/native.ts'
import { layDatabase } from '#testing/database/laid.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { databaseUrl } from '#testing/database/url.ts'
import { freePorts } from '#testing/machines/ports.ts'
import { root } from '#testing/machines/process.ts'

/* A clone with three releases to come: npm and Vite alone are stand-ins. */

/** Each start of a process takes a second, and many on a busy machine. */
const LONG_MS = 5 * 60_000
const TREES = ['server', 'domain', 'contract', 'scripts']
const FILES = ['package.json', 'package-lock.json', '.npmrc', '.gitignore', 'CHANGELOG.md', 'docs/rules.md']
const PLAYER = { username: 'nguoichoi', password: 'mat-khau-nguoi-choi' }
const VITE = `const { mkdirSync, readFileSync, writeFileSync } = require('node:fs')
mkdirSync('dist', { recursive: true })
writeFileSync('dist/index.html', JSON.parse(readFileSync('package.json', 'utf8')).version)`

describe.each(testEngines)(
  'npm run update, %s',
  (engine) => {
    const database = `test_${Date.now()}_${process.pid}_${randomBytes(4).toString('hex')}`
    let folder: string
    let clone: string
    let upstream: string
    let url: string
    let by: readonly string[]

    const git = (where: string, ...args: readonly string[]) =>
      execFileSync('git', ['-C', where, '-c', 'user.name=a', '-c', 'user.email=a@a.test', ...args], {
        encoding: 'utf8',
        stdio: 'pipe',
      }).trim()
    const onServer = async (statement: string) => {
      const server = openNative({ url: inject('nativeTemplate')?.serverUrl ?? '', max: 1 })
      await server.query(statement).finally(() => server.close())
    }
    const write = (path: string, text: string) => writeFileSync(path, text)

    /** The folders of libraries are those of this checkout, but for Vite. */
    function layLibraries(target: string) {
      mkdirSync(join(target, 'vite/bin'), { recursive: true })
      for (const name of readdirSync(join(root, 'node_modules')))
        if (!['vite', '.kim-phien-stamp'].includes(name))
          symlinkSync(join(root, 'node_modules', name), join(target, name))
      write(join(target, 'vite/bin/vite.js'), VITE)
    }

    /** Commits a release upstream, with migrations after the ones that are there. */
    function release(version: string, migrations: Readonly<Record<string, string>>, changes: () => void = () => {}) {
      write(
        join(upstream, 'package.json'),
        read('package.json').replace(/"version": "[^"]+"/, `"version": "${version}"`),
      )
      write(
        join(upstream, 'CHANGELOG.md'),
        read('CHANGELOG.md').replace(/^(?=## )/m, `## ${version} (2027-01-02)\n\n- What ${version} brings.\n\n`),
      )
      for (const [name, text] of Object.entries(migrations))
        write(join(upstream, 'server/migrations', name), `-- Of a test.\n${text};\n`)
      changes()
      git(upstream, 'add', '--all')
      git(upstream, 'commit', '--quiet', '--message', version)
      git(upstream, 'tag', `v${version}`)
    }
    const read = (path: string) => readFileSync(join(upstream, path), 'utf8')

    /**
     * Starts the command and returns its end. Once it has said what `killedAt` matches, it is killed with -9; once what
     * `leftAt` matches, its terminal is closed.
     */
    async function update(
      args: readonly string[],
      { killedAt, leftAt, env }: { killedAt?: RegExp; leftAt?: RegExp; env?: object } = {},
    ) {
      const child = spawn(process.execPath, ['scripts/update.mjs', ...args], {
        cwd: clone,
        env: {
          ...process.env,
          npm_execpath: join(folder, 'npm-cli.js'),
          npm_lifecycle_event: '',
          NODE_COMPILE_CACHE: join(folder, 'compiled'),
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let said = ''
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          said += text
          if (killedAt?.test(said) === true) child.kill('SIGKILL')
          if (leftAt?.test(said) === true) child.kill('SIGHUP')
        })
      const code = await new Promise<number | null>((done) => child.once('close', done))
      return { code, said }
    }

    const call = async ({ method, path }: { method: string; path: string }, body: object) => {
      const headers = { 'content-type': 'application/json' }
      return fetch(url + path, { method, headers, body: JSON.stringify(body) })
    }
    /** Waits until the server is ready; throws with what it has said when it ends before. */
    async function serving() {
      while ((await fetch(`${url}/readyz`).catch(() => null))?.status !== 200) {
        if (!existsSync(`/proc/${readFileSync(join(folder, 'pid'), 'utf8').trim()}`))
          throw new Error(readFileSync(join(folder, 'said'), 'utf8'))
        await sleep(50)
      }
    }
    const shell = (command: string) => execFileSync('sh', ['-c', command], { stdio: 'ignore' })
    /** What stands in the clone: its version, its web's, and whether its server is ready and knows the player. */
    const standing = async () => ({
      code: git(clone, 'describe', '--tags'),
      web: readFileSync(join(clone, 'dist/index.html'), 'utf8'),
      ready: (await fetch(`${url}/readyz`).catch(() => null))?.status,
      login: (await call(endpoints.login, PLAYER).catch(() => null))?.status,
      isOver: !existsSync(join(clone, '.build/update')),
    })
    const at = (version: string) => ({ code: `v${version}`, web: version, ready: 200, login: 200, isOver: true })

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'update-'))
      upstream = join(folder, 'upstream')
      clone = join(folder, 'clone')
      const dataDir = join(folder, 'data')
      for (const name of [...TREES, ...FILES])
        cpSync(join(root, name), join(upstream, name), {
          recursive: true,
          filter: (path) => !path.endsWith('.test.ts'),
        })
      const { version } = JSON.parse(read('package.json')) as { version: string }
      git(folder, 'init', '--quiet', upstream)
      git(upstream, 'add', '--all')
      git(upstream, 'commit', '--quiet', '--message', version)
      git(upstream, 'tag', `v${version}`)
      git(folder, 'clone', '--quiet', upstream, clone)

      layLibraries(join(clone, 'node_modules'))
      layLibraries(join(folder, 'libraries'))
      write(
        join(folder, 'npm-cli.js'),
        `if (process.argv[2] === 'ci') require('node:fs').cpSync(${JSON.stringify(join(folder, 'libraries'))}, 'node_modules', { recursive: true, verbatimSymlinks: true })`,
      )
      execFileSync(process.execPath, ['node_modules/vite/bin/vite.js'], { cwd: clone })
      mkdirSync(dataDir, { mode: 0o700 })
      if (engine === 'embedded') layDatabase(dataDir)
      else await onServer(`create database ${database} template ${inject('nativeTemplate')?.templateName}`)
      const [port = 0] = await freePorts(1)
      url = `http://127.0.0.1:${port}`
      const settings = {
        ...{ PORT: String(port), DATA_DIR: dataDir, DEVELOPMENT: 'yes', GOLD_FEED: 'simulated', LOG_LEVEL: 'error' },
        ...{ REFERRAL_CODE: 'KIMPHIEN', COINGECKO_URL: 'http://127.0.0.1:9' },
        ...(engine === 'native' && { DATABASE_URL: databaseUrl(inject('nativeTemplate')?.serverUrl ?? '', database) }),
      }
      const lines = Object.entries(settings).map(([name, value]) => `${name}="${value}"\n`)
      write(join(clone, '.env'), lines.join(''))
      const start = `OWN_SETTINGS_FILE=.env NODE_COMPILE_CACHE=${folder}/compiled ${process.execPath} --liftoff-only server/main.ts >> ${folder}/said 2>&1 & echo $! > ${folder}/pid`
      by = ['--yes', '--start', start, '--stop', `kill $(cat ${folder}/pid)`]
      shell(`cd ${clone} && { ${start}; }`)
      await serving()
      const registered = await call(endpoints.register, { ...PLAYER, rePassword: PLAYER.password, code: 'KIMPHIEN' })
      expect(await registered.json()).toMatchObject({ data: { access_token: expect.any(String) as string } })
      // A log of the open book that has not begun can't be ended.
      while (!(await fetch(`${url}/log/checkpoint`)).ok) await sleep(50)
    }, LONG_MS)

    afterAll(async () => {
      shell(`kill -9 $(cat ${folder}/pid) || true`)
      if (engine === 'native') await onServer(`drop database if exists ${database} with (force)`)
      rmSync(folder, { recursive: true, force: true })
    })

    test('says that nothing newer is there, and where something is, what it brings', async () => {
      expect(await update(['--check'])).toEqual({
        code: 0,
        said: expect.stringContaining('is the newest version') as string,
      })
      release('7.0.0', { '8001_first.sql': 'create table first_of_test (id int)' }, () => {
        write(join(upstream, 'package-lock.json'), `${read('package-lock.json')}\n`)
      })
      const { code, said } = await update(['--check'])
      expect(code).toBe(3)
      expect(said).toContain('- What 7.0.0 brings.')
      expect(said).not.toContain('## 1.0.0')
      expect(said).toContain('Changes of the database: 1.')
      expect(said).toContain('Packages change')
    })

    test.runIf(engine === 'embedded')('refuses with what to do, and changes nothing (embedded only)', async () => {
      const was = await standing()
      const refused = async (sentence: string, args: readonly string[] = by, env: object = {}) =>
        expect(await update(args, { env })).toEqual({ code: 1, said: expect.stringContaining(sentence) as string })
      await refused('is no version above', ['--to', was.code, ...by])
      await refused('Without a terminal say --yes', by.slice(1))
      await refused('--stop and --start belong together', ['--stop', 'true'])
      await refused('No update was interrupted', ['--back'])
      // A folder of the system's own has no room at all.
      await refused('free some', by, { BACKUP_DIR: '/proc/sys' })
      await refused('\n/nowhere has no database: set DATA_DIR', by, { DATA_DIR: '/nowhere' })

      write(join(clone, 'CHANGELOG.md'), 'mine')
      await refused('git stash -u')
      git(clone, 'commit', '--quiet', '--all', '--message', 'mine')
      await refused('commits of its own')
      git(clone, 'reset', '--quiet', '--hard', 'HEAD^')

      const bin = join(folder, 'bin')
      mkdirSync(bin)
      const service = (text: string) => {
        write(join(bin, 'systemctl'), `#!/bin/sh\necho "${text}"`)
        chmodSync(join(bin, 'systemctl'), 0o755)
        return { PATH: `${bin}:${process.env['PATH']}` }
      }
      await refused('There is no service other', ['--yes', '--service', 'other'], service('LoadState=not-found'))
      await refused('runs from /elsewhere', ['--yes'], service('LoadState=loaded\nWorkingDirectory=/elsewhere'))
      const here = service(`LoadState=loaded\nMainPID=0\nWorkingDirectory=${clone}`)
      await refused('A server that is not the service kim-phien runs from this folder', ['--yes'], here)

      git(clone, 'config', 'remote.origin.url', join(folder, 'nowhere'))
      expect((await update(['--check'])).said).toMatch(/could not be asked for.*\n.* → v7\.0\.0/)
      git(clone, 'config', 'remote.origin.url', upstream)
      expect(await standing()).toEqual(was)
    })

    test('goes to a version with other packages and a migration', async () => {
      const { code, said } = await update(by, { leftAt: /Preparing/ })
      expect({ code, said }).toEqual({
        code: 0,
        said: expect.stringMatching(/v7\.0\.0 runs; people waited for \d+ s/) as string,
      })
      expect(said).toMatch(/The books add up: \d+ transfers/)
      expect(await standing()).toEqual(at('7.0.0'))
      // Where the server's own backups do not push it out.
      if (engine === 'embedded') expect(readdirSync(join(folder, 'data/backups/before-v7.0.0'))).toHaveLength(1)
      expect(await update(['--check'])).toEqual({ code: 0, said: 'v7.0.0 is the newest version.\n' })
    })

    test('goes back by itself, also with the data, from a version whose second migration fails', async () => {
      release('8.0.0', { '8002_fine.sql': 'drop table first_of_test', '8003_wrong.sql': 'select 1/0' })
      const { code, said } = await update(by)
      expect(said).toContain('The packages stay.')
      expect(said).toContain('The update failed while starting: the server ended before it was ready')
      expect(said).toContain('v7.0.0 runs again, as before the update.')
      expect(code).toBe(1)
      expect(await standing()).toEqual(at('7.0.0'))
      expect(said).toMatch(/What was there is in /)
      expect(readFileSync(join(folder, 'said'), 'utf8')).toContain('8003_wrong.sql failed: division by zero')
    })

    test.runIf(engine === 'embedded')(
      'interrupted before the new version began, it goes back; after that, it finishes (embedded only)',
      async () => {
        release('9.0.0', { '8002_fine.sql': 'drop table first_of_test' }, () =>
          rmSync(join(upstream, 'server/migrations/8003_wrong.sql')),
        )
        expect((await update(by, { killedAt: /Making a backup/ })).code).toBeNull()
        expect((await standing()).ready).toBeUndefined()
        const back = await update(by)
        expect(back).toEqual({ code: 1, said: expect.stringContaining('v7.0.0 runs again') as string })
        expect(await standing()).toEqual(at('7.0.0'))

        expect((await update(by, { killedAt: /It is ready/ })).code).toBeNull()
        expect((await update(['--check'])).said).toContain('is the newest')
        expect(await update(by)).toEqual({ code: 0, said: expect.stringContaining('v9.0.0 runs') as string })
        expect(await standing()).toEqual(at('9.0.0'))
      },
    )

    test.runIf(engine === 'native')(
      '--back goes back also from a version that had begun; --backed-up makes no dump (PostgreSQL only)',
      async () => {
        release('9.0.0', { '8002_fine.sql': 'drop table first_of_test' }, () =>
          rmSync(join(upstream, 'server/migrations/8003_wrong.sql')),
        )
        const dumps = () => readdirSync(join(folder, 'data/backups')).filter((name) => name.endsWith('.dump')).length
        write(join(folder, 'data/backups/before-v1.2.3-0.dump.part'), 'left by a dump that was killed')
        expect((await update(by, { killedAt: /It is ready/ })).code).toBeNull()
        expect(readdirSync(join(folder, 'data/backups')).filter((name) => name.endsWith('.part'))).toEqual([])
        const made = dumps()
        const back = await update(['--back', ...by])
        expect(back).toEqual({ code: 1, said: expect.stringContaining('v7.0.0 runs again') as string })
        expect(back.said).toMatch(/What was there is in the schema replaced_\d+/)
        expect(await standing()).toEqual(at('7.0.0'))

        const forward = await update(['--backed-up', ...by])
        expect(forward).toEqual({ code: 0, said: expect.stringContaining('v9.0.0 runs') as string })
        expect(dumps()).toBe(made)
        expect(await standing()).toEqual(at('9.0.0'))
      },
    )

    test('stays where its proof fails, since people are in already, and goes back when it is asked to', async () => {
      release('9.1.0', {}, () =>
        write(
          join(upstream, 'server/commands/audit-ledger.ts'),
          `process.exit(console.log('They do not add up') ?? 1)`,
        ),
      )
      const stays = await update(by)
      expect(stays).toEqual({ code: 1, said: expect.stringContaining('not be finished: They do not add up') as string })
      expect(await standing()).toEqual({ ...at('9.1.0'), isOver: false })
      // Who lost the connection meanwhile reads it in the log.
      expect(readFileSync(join(clone, '.build/update.log'), 'utf8')).toContain('npm run update -- --back goes back to')
      expect((await update(['--back', ...by])).said).toContain('v9.0.0 runs again')
      expect(await standing()).toEqual(at('9.0.0'))
    })

    test.runIf(engine === 'embedded').for([
      ['stopped', 'failed while stopping', 'v9.0.0 runs again'],
      ['switched', 'failed while switching', 'v9.0.0 runs again'],
      ['ready', 'could not be finished', '--back goes back to v9.0.0'],
    ] as const)(
      'goes back on a full disk until people are in, then stays: %s (needs the embedded engine and the right to mount)',
      async ([when, how, end], { skip }) => {
        // The files of git are on the same disk, as they are on a machine of one disk.
        const aside = join(folder, 'aside')
        cpSync(clone, aside, { recursive: true, verbatimSymlinks: true })
        skip(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2g', 'none', clone]).status !== 0)
        try {
          cpSync(aside, clone, { recursive: true, verbatimSymlinks: true })
          const fill = `mount -o remount,size=$(df --output=used -B 1 ${clone} | tail -n 1) ${clone}`
          const hook = join(clone, '.git/hooks/post-checkout')
          if (when === 'switched') {
            write(hook, `#!/bin/sh\n[ "$PWD" != ${clone} ] || ${fill}\n`)
            chmodSync(hook, 0o755)
          }
          const [, , start = '', , stop = ''] = by
          const filling = {
            stopped: [stop, fill],
            switched: [],
            ready: [start, `until curl -fs ${url}/readyz; do sleep 0.1; done; ${fill}`],
          }[when]
          const { said } = await update(by.map((word) => (word === filling[0] ? `${word}; ${filling[1]}` : word)))
          expect(said).toContain(`${how}: ENOSPC`)
          expect(said).toContain(end)
          expect(await standing()).toEqual(when === 'ready' ? { ...at('9.1.0'), isOver: false } : at('9.0.0'))
        } finally {
          spawnSync('umount', ['-l', clone])
          rmSync(aside, { recursive: true })
        }
      },
    )

    test.runIf(engine === 'embedded')(
      'the version before names the one that the database needs (embedded only)',
      async () => {
        shell(`kill $(cat ${folder}/pid); cd ${clone} && git checkout --quiet v7.0.0`)
        const env = { ...process.env, OWN_SETTINGS_FILE: '.env', NODE_COMPILE_CACHE: join(folder, 'compiled') }
        const run = (program: string) =>
          spawnSync(process.execPath, ['--liftoff-only', program], { cwd: clone, env, encoding: 'utf8' })
        await expect
          .poll(() => run('server/main.ts').stderr, { timeout: 60_000 })
          .toContain('8002_fine.sql, which this version does not know: start v8.0.0 or a newer one')
        expect(run('server/commands/doctor.ts').stdout).toContain(
          '!! Migrations: the database is of a newer version – start v8.0.0 or a newer one',
        )
      },
    )
  },
  LONG_MS,
)
