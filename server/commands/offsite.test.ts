// Gate: backups leave a machine and come back.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { layDatabase } from '#testing/database/laid.ts'
import { addressOf, runProgram, startProgram } from '#testing/machines/process.ts'

test.skipIf(!existsSync('/usr/bin/rclone'))(
  'a copy of the newest backup is elsewhere, and is restored for practice once a month (needs rclone)',
  { timeout: 180_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'offsite-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const [dataDir, elsewhere] = [join(folder, 'data'), join(folder, 'elsewhere')]
    const env = { DATA_DIR: dataDir, OFFSITE: elsewhere, HOME: folder, PATH: process.env['PATH'] }
    // A folder for temporary files may be in memory: it has no room for a database.
    const noRoom = { ...env, TMPDIR: join(folder, 'no-room') }
    const copy = (more: object = {}) =>
      spawnSync(join('deploy', 'one-server', 'offsite.sh'), { env: { ...noRoom, ...more }, encoding: 'utf8' })
    const rehearsal = async () =>
      /^.. Rehearsal: .*$/m.exec((await runProgram('server/commands/doctor.ts', { env })).out)?.[0]

    mkdirSync(dataDir)
    layDatabase(dataDir)
    const server = startProgram('server/main.ts', { env })
    await addressOf(server)
    await server.end()
    expect(copy()).toMatchObject({ status: 1, stderr: expect.stringContaining('is BACKUP_EVERY set?') as string })
    expect(await runProgram('server/commands/backup.ts', { env })).toMatchObject({ code: 0 })
    expect(await rehearsal()).toMatch(/^-- Rehearsal: no backup was restored for practice yet/)

    // A file of the operator's own hides no backup.
    writeFileSync(join(dataDir, 'backups', 'kim-phien-old.backup'), '')
    const first = copy()
    rmSync(join(dataDir, 'backups', 'kim-phien-old.backup'))
    expect(first).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^Rehearsed: [^]*The books add up: /) as string,
    })
    expect(readdirSync(elsewhere)).toEqual(readdirSync(join(dataDir, 'backups')))
    expect(await rehearsal()).toBe('ok Rehearsal: a backup was restored for practice 0 days ago')
    // Not again within the month.
    expect(copy()).toMatchObject({ status: 0, stdout: '' })

    // On a disk that is nearly full nothing is fetched: a full one would end the server.
    rmSync(join(dataDir, 'restore-rehearsed'))
    writeFileSync(join(folder, 'df'), '#!/bin/sh\necho Avail; echo 5000000', { mode: 0o755 })
    expect(copy({ PATH: `${folder}:${env.PATH}` })).toMatchObject({
      ...{
        status: 1,
        stderr: expect.stringMatching(/^Nothing was rehearsed: .* has 5 MB free, and \d+ MB/m) as string,
      },
    })
    expect(await rehearsal()).toMatch(/^!! Rehearsal: the last failed 0 min ago/)
    rmSync(join(dataDir, 'restore-rehearsal-failed'))
    rmSync(join(folder, 'df'))

    // A copy that cannot be fetched is noted, too.
    const refusing = `#!/bin/sh\ncase "$2" in ${elsewhere}/*) exit 3;; esac\nexec /usr/bin/rclone "$@"`
    writeFileSync(join(folder, 'rclone'), refusing, { mode: 0o755 })
    expect(copy({ PATH: `${folder}:${env.PATH}` })).toMatchObject({ status: 3 })
    expect(await rehearsal()).toMatch(/^!! Rehearsal: the last failed 0 min ago/)
    rmSync(join(dataDir, 'restore-rehearsal-failed'))

    // A copy that was damaged on the way or over there is noticed.
    const path = join(dataDir, 'backups', readdirSync(elsewhere)[0] ?? '')
    const bytes = readFileSync(path)
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
    writeFileSync(path, bytes)
    expect(copy()).toMatchObject({ status: 1, stderr: expect.stringMatching(/^Nothing was restored: /m) as string })
    expect(await rehearsal()).toMatch(/^!! Rehearsal: the last failed 0 min ago/)
    // Not again within the day.
    expect(copy()).toMatchObject({ status: 0, stdout: '' })
    expect(readdirSync(join(dataDir, 'backups'))).toHaveLength(1)
  },
)
