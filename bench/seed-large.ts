// `npm run seed:large`: creates a database of a million users and ten million bets, to measure lists in it.
import { parseArgs } from 'node:util'
import { migrate } from '#server/platform/database/migrate.ts'
import { LARGE_ADMIN, LARGE_AUDIT_KEY, makeLargeWorld } from './large-world.ts'
import { checkLedger, onSeeded, onServer } from './scratch.ts'

const { values: args } = parseArgs({
  options: { users: { type: 'string', default: '1000000' }, database: { type: 'string', default: 'kim_phien_large' } },
})
const users = Number(args.users)
const name = args.database
if (!/^[a-z][a-z0-9_]{2,40}$/.test(name) || !Number.isSafeInteger(users)) {
  process.stderr.write('npm run seed:large -- [--users 1000000] [--database kim_phien_large]\n')
  process.exit(1)
}
const say = (line: string) => void process.stdout.write(`${line}\n`)

// An existing database is never reused, because it may contain data that somebody needs.
await onServer((server) => server.query(`create database ${name}`))
const url = await onSeeded(name, async (address, db) => {
  await migrate(db)
  await makeLargeWorld(db, users, say)
  const startedAt = performance.now()
  await checkLedger(db)
  say(`the whole ledger verified: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  return address
})
const shown = new URL(url)
shown.password = ''
say(`\nReady: DATABASE_URL=${shown.href} AUDIT_KEY=${LARGE_AUDIT_KEY} npm start`)
say(`Sign in as ${LARGE_ADMIN.username} with ${LARGE_ADMIN.password}. To remove it: drop database ${name}.`)
