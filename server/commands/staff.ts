import { isUsername } from '#domain/identity/credentials.ts'
import { STAFF_ACTS, type StaffActReport } from '#server/features/identity/index.ts'
import { runCommand } from './command.ts'
import { askOperator } from './operator-commands.ts'

/**
 * `npm run staff:grant-owner -- USERNAME` makes an admin the owner of an installation that has none (rules §4.5).
 * `staff:reset-factor` removes an admin's second factors (rules §4.10), and `staff:reset-password` sets a new password
 * (rules §4.11).
 */
const REFUSED = {
  NO_ADMIN: 'There is no admin of this name, or a frozen one.',
  HAS_OWNER: 'There is an owner, who grants at "Phân quyền…" in the menu of a user.',
  NO_FACTOR: 'This admin has no second factor.',
} as const

const [given = '', username = ''] = process.argv.slice(2)
const act = STAFF_ACTS.find((known) => known === given)

if (act === undefined || !isUsername(username)) {
  process.stderr.write(STAFF_ACTS.map((known) => `npm run staff:${known} -- USERNAME\n`).join(''))
  process.exit(2)
}
await runCommand(async (settings) => {
  const report = await askOperator(settings, `staff:${act} ${username}`)
  process.stdout.write(`${lineOf(report)}\n`)
  return report.is === 'refused' ? 1 : 0
})

function lineOf(report: StaffActReport): string {
  switch (report.is) {
    case 'refused':
      return REFUSED[report.why]
    case 'granted':
      return `${username} is the owner now, in the audit log and the open book.`
    case 'factors-reset':
      return `${report.factors} removed, with the recovery codes. Every session of ${username} ended; the next sign-in needs the password alone.`
    case 'password-reset':
      return [
        `${username}  mật khẩu / password: ${report.password}`,
        `It is shown here alone and has to be changed at the next sign-in. Every session of ${username} ended.`,
      ].join('\n')
  }
}
