import { isRestartWhy, RESTART_WHYS } from '#server/features/book/index.ts'
import { runCommand } from './command.ts'
import { askOperator } from './operator-commands.ts'

/**
 * `npm run log:restart -- --why RESTORED|KEY_LOST|KEY_EXPOSED`: ends the open book's newest log and begins the next,
 * signed with this installation's key (docs/open-book.md §1).
 */
const why = process.argv[process.argv.indexOf('--why') + 1] ?? ''

const REFUSED = {
  NOT_BEGUN: 'Nothing was signed yet: there is no log to end.',
  SAME_KEY:
    'This is the key that the log is signed with: set another LOG_KEY (or move log.key away) and restart first.',
} as const

if (!process.argv.includes('--why') || !isRestartWhy(why)) {
  process.stderr.write(`npm run log:restart -- --why ${RESTART_WHYS.join('|')}\n`)
  process.exit(2)
}
await runCommand(async (settings) => {
  const report = await askOperator(settings, `log:restart ${why}`)
  process.stdout.write(
    report.is === 'refused'
      ? `${REFUSED[report.why]}\n`
      : [
          `The log before ended at ${report.previousSize} entries. The next one: ${report.origin}`,
          `${report.vkey}`,
          `${report.size} entries; ${report.rounds} unfinished rounds were written again. Publish the key: witnesses and people who check need it.\n`,
        ].join('\n'),
  )
  return report.is === 'refused' ? 1 : 0
})
