import { isUsername } from '#domain/identity/credentials.ts'
import { readProcessSettings } from '#server/platform/settings.ts'
import { askOperator } from './operator-commands.ts'

/**
 * `npm run staff:reset-factor -- USERNAME`: removes an admin's second factors and ends their sessions, where no other
 * owner can do it (rules §4.10). With an embedded database the running server does it.
 */
const username = process.argv[2] ?? ''

const REFUSED = {
  NO_ADMIN: 'There is no admin of this name.',
  NO_FACTOR: 'This admin has no second factor.',
} as const

if (!isUsername(username)) {
  process.stderr.write('npm run staff:reset-factor -- USERNAME\n')
  process.exit(2)
}
try {
  const report = await askOperator(readProcessSettings(), `staff:reset-factor ${username}`)
  process.stdout.write(
    report.is === 'refused'
      ? `${REFUSED[report.why]}\n`
      : `${report.factors} removed, with the recovery codes. Every session of ${username} ended; the next sign-in needs the password alone.\n`,
  )
  process.exitCode = report.is === 'refused' ? 1 : 0
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
