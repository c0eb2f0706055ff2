// `npm run accept [-- N …] [--short]`: hard faults of many machines, each with its own processes, beside its bar. `--short`
// is what CI runs: fewer repetitions of the same.
import { parseArgs } from 'node:util'
import { lastRelease } from '#server/testing/release.ts'
import { type AttackLine, printAttackLines } from '../attacks/report.ts'
import { failover } from './01-failover.ts'
import { redisAway } from './02-redis.ts'
import { crashes } from './03-crashes.ts'
import { unknownCommits } from './04-unknown-commits.ts'
import { disk } from './05-disk.ts'
import { databaseTrouble } from './06-database-trouble.ts'
import { clocks } from './07-clocks.ts'
import { lastSeconds } from './08-last-seconds.ts'
import { feed } from './09-feed.ts'
import { ledger } from './10-ledger.ts'
import { tampering } from './11-tampering.ts'
import { stopping } from './12-stopping.ts'
import { hostileTraffic } from './13-hostile-traffic.ts'
import { upgrade } from './14-upgrade.ts'
import { lostMachine } from './15-lost-machine.ts'

type Fault = (isShort: boolean) => Promise<AttackLine[]>

/** Every fault by its number. A fault answers its figures, and throws when it could not be carried out. */
const faults: Readonly<Record<string, Fault>> = {
  1: failover,
  2: redisAway,
  3: crashes,
  4: unknownCommits,
  5: disk,
  6: databaseTrouble,
  7: clocks,
  8: lastSeconds,
  9: feed,
  10: ledger,
  11: tampering,
  12: stopping,
  13: hostileTraffic,
  14: upgrade,
  15: lostMachine,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean', default: false } },
})
/** Without a tag of an earlier release there is nothing to upgrade from; who names that fault is told so. */
const possible = Object.keys(faults).filter((name) => name !== '14' || lastRelease() !== null)
const chosen = positionals.length === 0 ? possible : positionals
for (const name of chosen)
  if (faults[name] === undefined) {
    process.stderr.write(`The faults are ${Object.keys(faults).join(', ')}\n`)
    process.exit(2)
  }
const lines: AttackLine[] = []
for (const name of chosen) {
  process.stderr.write(`${name} …\n`)
  const seen = (await faults[name]?.(values.short)) ?? []
  lines.push(...seen.map((one) => ({ ...one, what: `${name}: ${one.what}` })))
}
printAttackLines(lines)
process.exit(lines.every(({ isMet }) => isMet) ? 0 : 1)
