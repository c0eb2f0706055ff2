import { isUsername } from '#domain/identity/credentials.ts'
import { readProcessSettings } from '#server/platform/settings.ts'
import { askOperator } from './operator-commands.ts'

/**
 * `npm run staff:grant-owner -- USERNAME`: makes an admin the owner of an installation that has none (rules §4.5). With
 * an embedded database the running server does it.
 */
const username = process.argv[2] ?? ''

const REFUSED = {
  NO_ADMIN: 'There is no admin of this name who is neither frozen nor deleted.',
  HAS_OWNER: 'There is an owner, who grants at "Phân quyền…" in the menu of a user.',
} as const

if (!isUsername(username)) {
  process.stderr.write('npm run staff:grant-owner -- USERNAME\n')
  process.exit(2)
}
try {
  const report = await askOperator(readProcessSettings(), `staff:grant-owner ${username}`)
  process.stdout.write(
    report.is === 'refused'
      ? `${REFUSED[report.why]}\n`
      : `${username} is the owner now, in the audit log and the open book.\n`,
  )
  process.exitCode = report.is === 'refused' ? 1 : 0
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
