import { runCommand } from './command.ts'
import { askOperator } from './operator-commands.ts'

/**
 * `npm run audit:ledger`: prints wrong sums of the ledger, and transfers that differ from the bet, request or act that
 * caused them. `--clear` checks only the sums and, if they are right, allows money acts again. Exits with 1 when
 * something is wrong.
 */
const isClearing = process.argv.includes('--clear')

await runCommand(async (settings) => {
  const audit = isClearing ? null : await askOperator(settings, 'ledger:check')
  const { findings, transfers, accounts } = audit ?? (await askOperator(settings, 'ledger:clear'))
  for (const { rule, accountId, expected, found } of findings)
    process.stdout.write(
      `${rule} ${accountId === null ? '' : `account ${accountId}: `}expected ${expected}, found ${found}\n`,
    )
  process.stdout.write(
    findings.length === 0
      ? `The books add up: ${transfers} transfers, ${accounts} accounts.${isClearing ? ' Money acts are open.' : ''}\n`
      : findings.every(({ rule }) => rule === 'TRANSFER_UNLIKE_ITS_CAUSE')
        ? 'The books add up, but transfers are unlike their causes: money acts are not closed for that.\n'
        : 'The books do not add up: money acts stay closed.\n',
  )
  if (audit !== null && audit.uncompared > 0)
    process.stdout.write(
      `${audit.uncompared} adjustments before ${new Date(audit.detachedUntilMs ?? 0).toISOString().slice(0, 10)} were not compared: their acts are detached from the audit log.\n`,
    )
  return findings.length === 0 ? 0 : 1
})
