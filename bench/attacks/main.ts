// `npm run bench:attacks`: what a hostile client or a bad day does to a running server, measured beside its bar. Each
// attack starts the product in processes of its own. `-- --only NAME` runs one of them, and may be repeated.
import { parseArgs } from 'node:util'
import { attackWithBodies } from './bodies.ts'
import { runClockSteps } from './clock-steps.ts'
import { attackFeed } from './feed.ts'
import { filingsEmbedded } from './filings-embedded.ts'
import { filings } from './filings.ts'
import { frozenRedis } from './frozen-redis.ts'
import { images } from './images.ts'
import { type AttackLine, printAttackLines } from './report.ts'
import { attackWithRequests } from './requests.ts'
import { attackSignIn } from './sign-in.ts'
import { attackWithSockets } from './socket-flood.ts'
import { suspended } from './suspended.ts'

/** Every attack by name. An attack returns its figures, and throws when it could not be carried out. */
const attacks: Readonly<Record<string, () => Promise<AttackLine[]>>> = {
  bodies: attackWithBodies,
  'clock-steps': runClockSteps,
  feed: attackFeed,
  'filings-embedded': filingsEmbedded,
  filings,
  'frozen-redis': frozenRedis,
  images,
  requests: attackWithRequests,
  'sign-in': attackSignIn,
  'socket-flood': attackWithSockets,
  suspended,
}

const { values: args } = parseArgs({ options: { only: { type: 'string', multiple: true } } })
const names = Object.keys(attacks)
const only = args.only ?? names
for (const name of only)
  if (attacks[name] === undefined) {
    process.stderr.write(`--only is one of ${names.join(', ')}\n`)
    process.exit(1)
  }

const lines: AttackLine[] = []
for (const name of only) {
  process.stderr.write(`${name} …\n`)
  lines.push(...((await attacks[name]?.()) ?? []))
}
printAttackLines(lines)
process.exit(lines.every(({ isMet }) => isMet) ? 0 : 1)
