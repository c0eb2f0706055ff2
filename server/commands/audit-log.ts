import { parseArgs } from 'node:util'
import { ACKNOWLEDGE_OPTIONS, readAcknowledgement } from '#server/features/audit/index.ts'
import { runCommand } from './command.ts'
import { askOperator } from './operator-commands.ts'

/**
 * `npm run audit:log`: names each row of the audit log that was changed, is missing or is unexpected, and exits with 1
 * unless all of them are acknowledged. `--acknowledge ROW --why "…"` first acknowledges a changed row by an act in the
 * log (docs/operations/backup.md).
 */
await runCommand(async (settings) => {
  const { values } = parseArgs({ options: ACKNOWLEDGE_OPTIONS })
  const wish = readAcknowledgement(values)
  if (wish !== null) {
    const report = await askOperator(settings, `audit:acknowledge ${JSON.stringify(wish)}`)
    if (report.is === 'refused') throw new Error(`Nothing was acknowledged. ${report.reason}`)
    process.stdout.write(
      `Row ${wish.row} is acknowledged by row ${report.bySeq}. ` +
        (report.half === null
          ? 'Nothing proves how it became another one, and the log says so for ever.\n'
          : `It is proved to be what was signed but for half of a character, ${report.half}, which no database stores.\n`),
    )
  }
  const { verified, detachedThrough, broken, known } = await askOperator(settings, 'audit:check')
  const detached =
    detachedThrough === '0'
      ? ''
      : `, and row ${detachedThrough} before them, the last that is detached, is as it was signed`
  process.stdout.write(
    [
      broken.length === 0
        ? `The audit log is whole: ${verified} rows${detached}.`
        : `The audit log is broken; ${verified} rows are right.`,
      ...broken,
      ...known,
      '',
    ].join('\n'),
  )
  return broken.length === 0 ? 0 : 1
})
