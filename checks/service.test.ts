import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'

const unit = readFileSync('deploy/systemd/kim-phien.service', 'utf8')
/** Of 0 to 100, by what the service could still do to its machine; 100 is a service without any setting. */
const EXPOSURE_AT_MOST = '20'

const folder = mkdtempSync(join(tmpdir(), 'unit-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** What systemd says of the unit, and how it ends. The program itself is not on this machine. */
function analyze(
  text: string,
  ...command: readonly string[]
): { readonly status: number | null; readonly says: string } {
  const file = join(folder, 'kim-phien.service')
  writeFileSync(file, text.replace(/^ExecStart=.*$/m, 'ExecStart=/bin/true'))
  const { status, stdout, stderr } = spawnSync('systemd-analyze', [...command, file], { encoding: 'utf8' })
  return { status, says: stdout + stderr }
}
const secure = (text: string) => analyze(text, 'security', '--offline=true', `--threshold=${EXPOSURE_AT_MOST}`).status

describe.skipIf(!existsSync('/usr/bin/systemd-analyze'))('the unit of systemd (needs systemd-analyze)', () => {
  test('has no setting that systemd does not know', () => {
    expect(analyze(unit, 'verify')).toEqual({ status: 0, says: '' })
    expect(analyze(unit.replace('NoNewPrivileges=', 'NoNewPrivilege='), 'verify').says).toContain('Unknown key')
  })

  test('starts the project’s own Node, whatever npm made of it', () => {
    const command = /^ExecStart=\/bin\/sh -c '(exec .*) server\/main\.ts'$/m.exec(unit)?.[1] ?? ''
    expect(spawnSync('/bin/sh', ['-c', `${command} --version`], { encoding: 'utf8' }).stdout).toBe(
      `${process.version}\n`,
    )
  })

  test('leaves the service little that it could do to its machine', () => {
    expect(secure(unit)).toBe(0)
    expect(secure(unit.replaceAll(/^(Protect|Restrict|System)\w+=.*\n/gm, ''))).not.toBe(0)
  })
})
