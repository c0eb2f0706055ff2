// `npm run accept [-- N …] [--short]`: hard faults of many machines, each with its own processes. `--short`, which CI
// runs, repeats each less often. `npm run bench:attacks [-- --only NAME]`: the effects of a hostile client or a bad day
// on a running server. Each figure is beside its bar in the table at the end, and a missed bar fails the command.
import { parseArgs } from 'node:util'
import { lastRelease } from '#testing/machines/release.ts'
import { attackWithBodies } from './attacks/bodies.ts'
import { filingsEmbedded } from './attacks/filings-embedded.ts'
import { filings } from './attacks/filings.ts'
import { images } from './attacks/images.ts'
import { attackSignIn } from './attacks/sign-in.ts'
import { attackWithSockets } from './attacks/socket-flood.ts'
import { failover } from './faults/01-failover.ts'
import { redisAway } from './faults/02-redis.ts'
import { crashes } from './faults/03-crashes.ts'
import { unknownCommits } from './faults/04-unknown-commits.ts'
import { disk } from './faults/05-disk.ts'
import { databaseTrouble } from './faults/06-database-trouble.ts'
import { clocks } from './faults/07-clocks.ts'
import { lastSeconds } from './faults/08-last-seconds.ts'
import { feed } from './faults/09-feed.ts'
import { ledger } from './faults/10-ledger.ts'
import { tampering } from './faults/11-tampering.ts'
import { stopping } from './faults/12-stopping.ts'
import { hostileTraffic } from './faults/13-hostile-traffic.ts'
import { upgrade } from './faults/14-upgrade.ts'
import { lostMachine } from './faults/15-lost-machine.ts'
import { type BarLine, printBarLines } from './report.ts'

/** Returns its figures, and throws when it could not be carried out. */
type Proof = (isShort: boolean) => Promise<BarLine[]>

const proofs: Readonly<Record<string, Readonly<Record<string, Proof>>>> = {
  faults: {
    ...{ 1: failover, 2: redisAway, 3: crashes, 4: unknownCommits, 5: disk, 6: databaseTrouble, 7: clocks },
    ...{ 8: lastSeconds, 9: feed, 10: ledger, 11: tampering, 12: stopping, 13: hostileTraffic, 14: upgrade },
    15: lostMachine,
  },
  attacks: {
    ...{ bodies: attackWithBodies, 'filings-embedded': filingsEmbedded, filings, images },
    ...{ 'sign-in': attackSignIn, 'socket-flood': attackWithSockets },
  },
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean', default: false }, only: { type: 'string', multiple: true, default: [] } },
})
const [kind = '', ...numbers] = positionals
const known = proofs[kind] ?? {}
/** Without a tag of an earlier release there is nothing to upgrade from; naming that fault then gives a message. */
const possible = Object.keys(known).filter((name) => name !== '14' || lastRelease() !== null)
const named = [...numbers, ...values.only]
const chosen = named.length === 0 ? possible : named
for (const name of chosen)
  if (known[name] === undefined) {
    process.stderr.write(`The ${kind} are ${Object.keys(known).join(', ')}\n`)
    process.exit(2)
  }
const lines: BarLine[] = []
for (const name of chosen) {
  process.stderr.write(`${name} …\n`)
  const seen = (await known[name]?.(values.short)) ?? []
  lines.push(...seen.map((one) => (kind === 'faults' ? { ...one, what: `${name}: ${one.what}` } : one)))
}
printBarLines(lines)
process.exit(lines.every(({ isMet }) => isMet) ? 0 : 1)
