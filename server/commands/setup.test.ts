// Gate: each answer is given to a process of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { questionsFor, refuse } from '#server/installation/setup-file.ts'
import { parseSettingsFile } from '#server/platform/process/settings-file.ts'
import { root, runProgram } from '#testing/machines/process.ts'

const LONG_MS = 180_000

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'setup-'))
  file = join(folder, 'settings')
})
afterEach(() => rmSync(folder, { recursive: true }))

const setUp = (...args: readonly string[]) =>
  runProgram('server/commands/setup.ts', { args: ['--file', file, '--data-dir', join(folder, 'data'), ...args] })

describe('npm run setup', () => {
  test(
    'writes what was answered, for its owner alone, and a second time what stands there is kept',
    { timeout: LONG_MS },
    async () => {
      const contact = 'gọi $HOME `id` "a\\b" \'c\' #1'
      const { code, out } = await setUp(
        '--domain',
        'localhost',
        '--contact',
        contact,
        '--port',
        '0',
        '--gold',
        'simulated',
      )
      expect(out).toContain('ok Name: localhost leads to this machine\n')
      expect(out).toMatch(/^ok Disk of DATA_DIR: a write is on it in [\d.]+ ms$/m)
      expect(code).toBe(out.includes('!! ') ? 1 : 0)
      expect(statSync(file).mode & 0o777).toBe(0o600)
      const first = readFileSync(file, 'utf8')
      expect(parseSettingsFile(first)).toEqual({
        PORT: '0',
        DATA_DIR: join(folder, 'data'),
        GOLD_FEED: 'simulated',
        SUPPORT_CONTACT: contact,
        TRUST_PROXY: '127.0.0.1,::1',
        PUBLIC_ORIGIN: 'https://localhost',
        BACKUP_EVERY: '15',
      })
      const changed = first.replace('GOLD_FEED=simulated', 'PYTH_API_KEY=k').replace('127.0.0.1,::1', '10.0.0.5')
      writeFileSync(file, changed)
      await setUp('--backup-every', 'off')
      // Without GOLD_FEED a key means live prices, and no backups stay none.
      await setUp('--referral', 'secret')
      expect(parseSettingsFile(readFileSync(file, 'utf8'))).toEqual({
        PORT: '0',
        DATA_DIR: join(folder, 'data'),
        PYTH_API_KEY: 'k',
        SUPPORT_CONTACT: contact,
        REFERRAL_REQUIRED: 'secret',
        TRUST_PROXY: '10.0.0.5',
        PUBLIC_ORIGIN: 'https://localhost',
      })
      writeFileSync(
        file,
        `PUBLIC_ORIGIN=http://localhost:3000\nTRUST_PROXY=10.0.0.5\nSWISSQUOTE_URL=http://127.0.0.1:9\n`,
      )
      const away = await setUp('--referral', 'secret', '--gold', 'swissquote')
      expect(away.out).toContain('!! Gold: http://127.0.0.1:9: bad port')
      expect(parseSettingsFile(readFileSync(file, 'utf8'))).toMatchObject({
        REFERRAL_REQUIRED: 'secret',
        TRUST_PROXY: '10.0.0.5',
        PUBLIC_ORIGIN: 'http://localhost:3000',
      })
      writeFileSync(file, `${first}TEAM_NAME="Đội một"\nOFFSITE=offsite:kim\n`)
      await setUp('--backup-every', 'off', '--domain', '')
      expect(parseSettingsFile(readFileSync(file, 'utf8'))).toEqual({
        PORT: '0',
        DATA_DIR: join(folder, 'data'),
        GOLD_FEED: 'simulated',
        SUPPORT_CONTACT: contact,
        TEAM_NAME: 'Đội một',
        OFFSITE: 'offsite:kim',
      })
    },
  )

  test.each([
    ['port', '99999', 'PORT: allowed is a whole number from 0 to 65535; 0 takes any free port'],
    ['domain', 'kim example', 'PUBLIC_ORIGIN: allowed is the origin of the web as browsers see it'],
    ['gold', 'gold', 'GOLD_FEED: allowed is auto, simulated, pyth or swissquote'],
    ['contact', 'a\nADMIN_PASSWORD=b', 'One line is allowed'],
    ['pyth-key', '', null],
  ])('--%s %j is answered by what is allowed', (flag, answer, refusal) => {
    const [question] = questionsFor(true).filter((each) => each.flag === flag)
    const says = question === undefined ? undefined : refuse(question, answer)
    expect(says).toEqual(refusal === null ? null : (expect.stringContaining(refusal) as string))
  })

  test(
    'a wrong answer writes nothing; a machine that is not ready is said with what to do',
    async () => {
      writeFileSync(file, 'PORT=4000\n')
      writeFileSync(join(folder, 'data'), '')
      const server = createServer()
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      const wrong = await setUp('--port', '99999')
      expect(wrong).toMatchObject({
        code: 1,
        err: expect.stringMatching(/^--port: PORT: .*\nNothing was written.\n$/) as string,
      })
      expect(await setUp('--prot', '1')).toMatchObject({
        code: 1,
        err: "Unknown option '--prot'\nNothing was written.\n",
      })
      expect(readFileSync(file, 'utf8')).toBe('PORT=4000\n')
      const { code, out } = await setUp('--gold', 'pyth', '--port', String(port), '--domain', 'http://203.0.113.9')
      expect(code).toBe(1)
      expect(out).toContain('!! Proxy: http://203.0.113.9 is not encrypted')
      expect(out).toContain(`!! DATA_DIR: ${join(folder, 'data')} is a file – choose another folder`)
      expect(out).toContain('!! Gold: pyth needs a key – ')
      expect(out).toContain(`-- Port: ${port} is in use – `)
      server.close()
    },
    LONG_MS,
  )

  test.skipIf(!existsSync('/usr/bin/script'))(
    'asks on a terminal, and again where an answer is not allowed (needs script)',
    { timeout: LONG_MS },
    async () => {
      writeFileSync(file, 'PUBLIC_ORIGIN=https://kim.example\nTRUST_PROXY=127.0.0.1\n')
      const command = `'${process.execPath}' server/commands/setup.ts --file '${file}' --data-dir '${folder}/data'`
      const terminal = spawn('/usr/bin/script', ['-qec', command, '/dev/null'], { cwd: root })
      let said = ''
      terminal.stdout.on('data', (text: Buffer) => (said += text.toString()))
      const answer = async (asked: RegExp, text: string) => {
        await expect.poll(() => said, { timeout: 20_000 }).toMatch(asked)
        said = ''
        terminal.stdin.write(`${text}\n`)
      }
      await answer(/The name that people type.*\[kim\.example; - for none\]: /, '-')
      await answer(/The port on this machine \[3000\]: /, 'x')
      await answer(/PORT: allowed is a whole number[^]*The port on this machine \[3000\]: /, '0')
      await answer(/administrator’s name .*\[admin\]: /, 'lan')
      for (const asked of [/turn to/, /newcomer/, /Whether/, /Gold’s/]) await answer(asked, '')
      // A key is asked for with pyth alone.
      await expect.poll(() => said, { timeout: 20_000 }).toMatch(/Minutes/)
      expect(said).not.toContain('pyth')
      for (const asked of [/Minutes/, /backups, best/]) await answer(asked, '')
      await answer(/second factor/, 'required')
      await once(terminal, 'exit')
      const written = parseSettingsFile(readFileSync(file, 'utf8'))
      expect([written['PUBLIC_ORIGIN'], written['TRUST_PROXY']]).toEqual([undefined, undefined])
      expect(written).toMatchObject({
        ...{ PORT: '0', ADMIN_USERNAME: 'lan', STAFF_SECOND_FACTOR: 'required' },
      })
    },
  )

  test.skipIf(!existsSync('/usr/bin/script'))(
    'ends where an answer of the file is not allowed whose question is left out (needs script)',
    { timeout: LONG_MS },
    async () => {
      writeFileSync(file, "PYTH_API_KEY='a b'\n")
      const flags = questionsFor(false).filter(({ flag }) => flag !== 'pyth-key' && flag !== 'data-dir')
      const given = flags.map(({ flag, suggested }) => `--${flag} '${suggested}'`).join(' ')
      const command = `'${process.execPath}' server/commands/setup.ts --file '${file}' --data-dir '${folder}/data' ${given}`
      const terminal = spawn('/usr/bin/script', ['-qec', command, '/dev/null'], { cwd: root, timeout: 30_000 })
      let said = ''
      terminal.stdout.on('data', (text: Buffer) => (said = (said + text.toString()).slice(-1_000)))
      expect(await once(terminal, 'exit')).toEqual([1, null])
      expect(said).toMatch(/--pyth-key: .*\s+Nothing was written/)
      expect(readFileSync(file, 'utf8')).toBe("PYTH_API_KEY='a b'\n")
    },
  )

  test(
    'the file of this folder is read by the commands, and the environment counts before it',
    { timeout: LONG_MS },
    async () => {
      writeFileSync(file, `DATA_DIR=${join(folder, 'none')}\nBACKUP_EVERY=x\nexport PORT=1\n`)
      const run = (env: Readonly<Record<string, string>>) =>
        runProgram('server/commands/doctor.ts', { env: { OWN_SETTINGS_FILE: file, ...env } })
      const doctor = async (env: Readonly<Record<string, string>>) => (await run(env)).out
      writeFileSync(join(folder, 'named'), `DATA_DIR=${join(folder, 'other')}\n`)
      const named = { SETTINGS_FILE: join(folder, 'named'), DATA_DIR: folder }
      const said = await Promise.all([{}, { BACKUP_EVERY: 'off' }, named].map(doctor))
      expect(said[0]).toContain('!! Settings: BACKUP_EVERY: ')
      expect(said[1]).toContain(`!! Settings: ${file}, line 3 sets nothing: a setting is NAME=value`)
      expect(said[1]).toContain(`!! Database: ${join(folder, 'none')} has none`)
      expect(said[2]).toContain(`!! Database: ${join(folder, 'other')} has none`)
      // The setup would write the file anew, without that line.
      const before = readFileSync(file, 'utf8')
      expect(await setUp('--backup-every', 'off')).toMatchObject({
        code: 1,
        err: `${file}, line 3 sets nothing: a setting is NAME=value\nNothing was written.\n`,
      })
      expect(readFileSync(file, 'utf8')).toBe(before)
      const unreadable = await run({ OWN_SETTINGS_FILE: folder })
      expect(unreadable).toMatchObject({ code: 2, err: expect.stringMatching(`^${folder}: EISDIR: .*\n$`) as string })
    },
  )

  test('the doctor judges PUBLIC_ORIGIN also where --url leads another way', { timeout: LONG_MS }, async () => {
    const proxyOf = async (origin: string, url: string) => {
      const env = { DATA_DIR: join(folder, 'none'), PUBLIC_ORIGIN: origin, TRUST_PROXY: '127.0.0.1' }
      return /^.. Proxy: .*$/m.exec(
        (await runProgram('server/commands/doctor.ts', { args: ['--url', url], env })).out,
      )?.[0]
    }
    // The documents say --url https://…, which is right also where the settings are not.
    const isPlain = await proxyOf('http://kim.example', 'https://127.0.0.1:9')
    expect(isPlain).toMatch(/^!! Proxy: http:\/\/kim\.example is not encrypted/)
    expect(await proxyOf('https://kim.example', 'http://0.0.0.0:9')).toBe('ok Proxy: 127.0.0.1')
  })
})
