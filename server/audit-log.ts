import { readProcessSettings } from '#server/platform/settings.ts'
import { askOperator } from './operator-commands.ts'

/**
 * `npm run audit:log`: verifies the audit log's chain of signed rows and names the first one that is not as it was
 * written: changed, missing (also at the end) or unexpected. Exits with 1 when there is one. With an embedded database
 * the running server does it.
 */
try {
  const { verified, detachedThrough, broken } = await askOperator(readProcessSettings(), 'audit:check')
  process.stdout.write(
    broken === null
      ? `The audit log is whole: ${verified} rows${detachedThrough === '0' ? '' : `, and row ${detachedThrough} before them, the last that is detached, is as it was signed`}.\n`
      : `The audit log is broken at row ${broken.brokenSeq} (${broken.problem}); ${verified} rows before it are right.\n`,
  )
  process.exitCode = broken === null ? 0 : 1
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
