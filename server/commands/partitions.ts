import { runCommand } from './command.ts'
import { askOperator } from './operator-commands.ts'

/**
 * `npm run partitions -- list`: lists the partitions of ticks and of the audit log, and the detached ones.
 * `npm run partitions -- detach ticks 2027-01`: detaches the partitions of ticks up to the end of that month.
 */
const [word = 'list', table = '', month = ''] = process.argv.slice(2)

await runCommand(async (settings) => {
  if (word === 'list') {
    for (const { name, from, until, bytes } of await askOperator(settings, 'partitions:list'))
      process.stdout.write(
        `${name.padEnd(28)} ${until === null ? 'detached' : `${from ?? 'all'} to ${until}`}, ${(bytes / 1e6).toFixed(1)} MB\n`,
      )
    return 0
  }
  if (word === 'detach' && /^[a-z_]+$/.test(table) && /^[0-9-]+$/.test(month)) {
    const report = await askOperator(settings, `partitions:detach ${table} ${month}`)
    if (report.is === 'refused') process.stderr.write(`${report.reason}\n`)
    else process.stdout.write(`${report.tables.join(', ')}: detached. Keep each by pg_dump -t, then drop it.\n`)
    return report.is === 'refused' ? 1 : 0
  }
  process.stderr.write('npm run partitions -- list | detach ticks 2027-01 | detach audit_log 2027-01\n')
  return 2
})
