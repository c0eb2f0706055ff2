import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { startOwnRedis } from '#testing/machines/redis.ts'
import {
  bytesOfABet,
  closingLine,
  readingLines,
  runClosing,
  runIdleDay,
  runReading,
  runSealing,
  sealingLines,
} from './book.ts'
import { runCare } from './care.ts'
import { makeCareWorld } from './care-world.ts'
import { measureCosts } from './costs.ts'
import { type EmbeddedTemplate, makeEmbeddedTemplate, onEmbeddedCopy, withEmbedded } from './embedded.ts'
import { makeLargeWorld } from './large-world.ts'
import { type Grown, growthLines, runGrowth } from './growth.ts'
import { listLines, runLists } from './lists.ts'
import { measureSockets } from './many-sockets.ts'
import { runPlacer } from './place-bets.ts'
import { runHttp } from './place-bets-http.ts'
import { type Line, median, printLines } from './report.ts'
import {
  checkLedger,
  dropLeftovers,
  hasProgram,
  makeTemplate,
  onCopy,
  onDatabase,
  onSeeded,
  serverVersion,
  type Template,
  WrongLedgerError,
} from './scratch.ts'
import { runRelay } from './relay.ts'
import { runSettleStatement, runSettling, WARM_BETS } from './settle.ts'
import { BETS_A_ROUND, runLag } from './settlement-lag.ts'
import { makeLongHistory, runRecount, runStatistics, statisticsLine } from './statistics.ts'
import { runPublicReads } from './public-reads.ts'
import { runVerify, verifyLines } from './verify.ts'
import { shuffled } from './world.ts'
import { runYardstick } from './yardstick.ts'

const NAMES = [
  'in-process',
  'http',
  'processes',
  'embedded',
  'settle',
  'lag',
  'lists',
  'public',
  'statistics',
  'book',
  'verify',
  'relay',
  'sockets',
  'costs',
  'care',
  'growth',
] as const
type Name = (typeof NAMES)[number]

/** Sizes of a full run, whose figures count. `QUICK` is for a short run, which only proves that everything works. */
const FULL = {
  repeats: 5,
  players: 72_000,
  loadS: 3,
  processes: [2, 4],
  embeddedPlayers: 30_000,
  settle: [10_000, 100_000],
  lagRounds: 100,
  lists: { smallUsers: 1_000, largeUsers: 1_000_000, samples: 60 },
  publicReads: { users: 1_000_000, samples: 60, floodS: 20 },
  statistics: { bets: 100_000, samples: 100 },
  book: { perSecond: 2_000, seconds: 20, idleS: 8_640, tiles: 39_100, samples: 200 },
  verifyRounds: 10_000,
  sockets: { counts: [9_000, 18_000], ticks: 60 },
  care: { players: 100_000, admins: 50, samples: 40 },
  costs: { bets: 3_000, sockets: 1_000, messages: 3_000, idleS: 60 },
  growth: { users: [1_000, 10_000, 100_000, 1_000_000], samples: 20 },
}
const QUICK = {
  repeats: 1,
  players: 4_000,
  loadS: 1,
  processes: [2],
  embeddedPlayers: 2_000,
  settle: [2_000],
  lagRounds: 4,
  lists: { smallUsers: 1_000, largeUsers: 4_000, samples: 1 },
  publicReads: { users: 4_000, samples: 2, floodS: 2 },
  statistics: { bets: 2_000, samples: 4 },
  book: { perSecond: 500, seconds: 2, idleS: 600, tiles: 300, samples: 10 },
  verifyRounds: 300,
  sockets: { counts: [200], ticks: 5 },
  care: { players: 2_000, admins: 5, samples: 2 },
  costs: { bets: 100, sockets: 50, messages: 100, idleS: 5 },
  growth: { users: [1_000, 2_000], samples: 1 },
}

const { values: args } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    except: { type: 'string', multiple: true, default: [] },
    'large-database': { type: 'string' },
  },
})
/** These measurements take minutes, so a quick run leaves them out. */
const SLOW: readonly Name[] = ['costs', 'growth']
const only = args.only ?? NAMES.filter((name) => !(args.quick && SLOW.includes(name)) && !args.except.includes(name))
for (const name of [...only, ...args.except])
  if (!NAMES.includes(name as Name)) fail(`--only and --except are of ${NAMES.join(', ')}`)
for (const program of ['pgbench', 'wrk'])
  if (!hasProgram(program))
    fail(`${program} is missing: the packages postgresql and wrk of Debian bring what is needed`)
const wants = (name: Name): boolean => only.includes(name)
const size = args.quick ? QUICK : FULL

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

/**
 * Measures bets: runs the yardstick and every measurement once, then all of them again, and so on. In this way, other
 * load on this machine affects both sides of a ratio.
 */
async function measureBets(template: Template, embedded: EmbeddedTemplate | null): Promise<Line[]> {
  const { players, loadS } = size
  const inProcess = wants('in-process') ? [32, 128, 512] : []
  const connections = wants('http') ? [32, 128] : []
  const processes = wants('processes') ? size.processes : []
  const bars: Record<string, number> = { 'in process, 32': 2, 'in process, 128': 3, 'HTTP, 32': 1, 'HTTP, 128': 1.5 }
  const rates = new Map<string, Array<{ ours: number; yardstick: number; note: string }>>()
  for (let repeat = 0; repeat < size.repeats; repeat++) {
    const yardstick = await onCopy(template, (url) => runYardstick(url, players))
    const keep = (name: string, ours: number, note = '') =>
      void rates.set(name, [...(rates.get(name) ?? []), { ours, yardstick, note }])
    for (const inFlight of inProcess)
      keep(`in process, ${inFlight}`, await onCopy(template, (_, db) => runPlacer(db, shuffled(players), inFlight)))
    for (const count of connections) {
      const seen = await onCopy(template, (url) => runHttp({ DATABASE_URL: url }, players, count, loadS))
      keep(`HTTP, ${count}`, seen.rate, `p50 ${seen.p50Ms.toFixed(1)} ms, p99 ${seen.p99Ms.toFixed(1)} ms`)
    }
    for (const count of processes) {
      // Measures how much faster PostgreSQL itself is with more clients. By default, it accepts 100 connections.
      const clients = Math.min(32 * count, 90)
      const grown = await onCopy(template, (url) => runYardstick(url, players, clients))
      const redis = await startOwnRedis()
      try {
        const env = (url: string) => ({ DATABASE_URL: url, REDIS_URL: redis.url, AUDIT_KEY: 'a'.repeat(43) + '=' })
        const seen = await onCopy(template, (url) => runHttp(env(url), players, 128, loadS, count))
        const note = `p50 ${seen.p50Ms.toFixed(1)} ms, p99 ${seen.p99Ms.toFixed(1)} ms; pgbench with ${clients} clients ${Math.round(grown)}/s`
        keep(`${count} processes, HTTP, 128 each`, seen.rate, note)
      } finally {
        await redis.stop()
      }
    }
    if (embedded !== null) {
      const { players: fewer } = embedded
      const seen = await onEmbeddedCopy(embedded, (dataDir) => runHttp({ DATA_DIR: dataDir }, fewer, 32, loadS))
      keep('embedded, HTTP, 32', seen.rate, `p50 ${seen.p50Ms.toFixed(1)} ms, p99 ${seen.p99Ms.toFixed(1)} ms`)
      bars['embedded, HTTP, 32'] = 0.8
    }
  }
  return [...rates].map(([name, runs]) => {
    const middle = runs.toSorted((a, b) => a.ours / a.yardstick - b.ours / b.yardstick)[runs.length >> 1]
    if (middle === undefined) throw new Error('Nothing was measured.')
    const ratio = middle.ours / middle.yardstick
    const bar = bars[name]
    return {
      name: `bets, ${name}`,
      ours: `${Math.round(middle.ours)}/s`,
      yardstick: `${Math.round(middle.yardstick)}/s`,
      ratio: `${ratio.toFixed(2)} ×`,
      bar: bar === undefined ? '' : `≥ ${bar.toFixed(1)} ×`,
      isMet: bar === undefined ? null : ratio >= bar,
      note: middle.note,
    }
  })
}

/** Measures settling: the engine's pass, and as the yardstick one set-based statement, close the same bets. */
async function measureSettling(template: Template): Promise<Line[]> {
  const lines: Line[] = []
  const repeats = Math.min(3, size.repeats)
  for (const bets of size.settle) {
    const runs: Array<{ ours: number; statement: number; blocked: number }> = []
    for (let repeat = 0; repeat < repeats; repeat++) {
      const statement = await onCopy(template, (_, db) => runSettleStatement(db, bets))
      const { ms, loopBlockedMs } = await onCopy(template, (_, db) => runSettling(db, bets))
      runs.push({ ours: ms, statement, blocked: loopBlockedMs })
    }
    const ratios = runs.map(({ ours, statement }) => ours / statement)
    const middle = runs[ratios.indexOf(median(ratios))]
    lines.push({
      name: `settling ${bets} bets`,
      ours: seconds(middle?.ours),
      yardstick: seconds(middle?.statement),
      ratio: `${median(ratios).toFixed(2)} ×`,
      bar: '≤ 1.1 ×',
      isMet: median(ratios) <= 1.1,
      note: '',
    })
    lines.push(blockedLine(`settling ${bets} bets`, median(runs.map(({ blocked }) => blocked))))
  }
  return lines
}

async function measureEmbeddedSettling(embedded: EmbeddedTemplate): Promise<Line[]> {
  const bets = Math.min(size.settle[0] ?? 0, embedded.players - WARM_BETS)
  const statement = await onEmbeddedCopy(embedded, (dataDir) =>
    withEmbedded(dataDir, (db) => runSettleStatement(db, bets)),
  )
  const seen = await onEmbeddedCopy(embedded, (dataDir) => withEmbedded(dataDir, (db) => runSettling(db, bets)))
  return [
    {
      name: `embedded, settling ${bets} bets`,
      ours: seconds(seen.ms),
      yardstick: seconds(statement),
      ratio: `${(seen.ms / statement).toFixed(2)} ×`,
      bar: '',
      isMet: null,
      note: 'the statement blocks the loop all along',
    },
    blockedLine(`embedded, settling ${bets} bets`, seen.loopBlockedMs),
  ]
}

async function measureLag(template: Template): Promise<Line[]> {
  const { rounds, p50Ms, p99Ms, maxMs } = await onCopy(template, (_, db) => runLag(db, size.lagRounds))
  return [
    {
      name: `from a round's end to its last bet told, ${BETS_A_ROUND} bets`,
      ours: `p99 ${Math.round(p99Ms)} ms`,
      yardstick: '',
      ratio: '',
      bar: '≤ 500 ms',
      isMet: p99Ms <= 500,
      note: `p50 ${Math.round(p50Ms)} ms, longest ${Math.round(maxMs)} ms, ${rounds} rounds`,
    },
  ]
}

/**
 * Measures the lists of staff in a small world and in a much larger world. The larger one is made here, or was made by
 * `npm run seed:large`.
 */
async function measureLists(): Promise<Line[]> {
  const { smallUsers, largeUsers, samples } = size.lists
  const seen = (users: number) =>
    onDatabase(`lists_${users}`, async (url, db) => {
      await makeLargeWorld(db, users, () => {})
      await checkLedger(db)
      return runLists(db, url, samples)
    })
  const seeded = args['large-database']
  const small = await seen(smallUsers)
  return listLines(
    small,
    seeded === undefined ? await seen(largeUsers) : await onSeeded(seeded, (url, db) => runLists(db, url, samples)),
  )
}

/** Measures the routes that need no token, in a world that is made here, or was made by `npm run seed:large`. */
async function measurePublic(): Promise<Line[]> {
  const { users, samples, floodS } = size.publicReads
  const seeded = args['large-database']
  if (seeded !== undefined) return onSeeded(seeded, (url, db) => runPublicReads(db, url, samples, floodS))
  return onDatabase('public', async (url, db) => {
    await makeLargeWorld(db, users, () => {})
    return runPublicReads(db, url, samples, floodS)
  })
}

/** Measures every call of customer care's desk, in a world with a year of conversations. */
function measureCare(): Promise<Line[]> {
  const { players, admins, samples } = size.care
  const seeded = args['large-database']
  if (seeded !== undefined) return onSeeded(seeded, (url, db) => runCare(db, url, samples))
  return onDatabase('care', async (url, db) => {
    await makeCareWorld(db, players, admins)
    return runCare(db, url, samples)
  })
}

/** Measures the same work in worlds of several sizes. The largest one may have been made by `npm run seed:large`. */
async function measureGrowth(): Promise<Line[]> {
  const { users: sizes, samples } = size.growth
  const seeded = args['large-database']
  const grown: Grown[] = []
  for (const users of seeded === undefined ? sizes : sizes.slice(0, -1))
    grown.push(
      await onDatabase(`growth_${users}`, async (url, db) => {
        await makeLargeWorld(db, users, () => {})
        return await runGrowth(db, url, samples)
      }),
    )
  if (seeded !== undefined) grown.push(await onSeeded(seeded, (url, db) => runGrowth(db, url, samples)))
  return growthLines(grown)
}

/** Measures reads of the statistics of a player with a long history. The yardstick counts them from all bets. */
async function measureStatistics(): Promise<Line[]> {
  const { bets, samples } = size.statistics
  const template = await makeTemplate(1)
  const embedded = await makeEmbeddedTemplate(1)
  try {
    const native = await onCopy(template, async (url, db) => {
      const userId = await makeLongHistory(db, bets)
      const recountMs = await runRecount(db, userId)
      return statisticsLine('', bets, await runStatistics({ DATABASE_URL: url }, samples), recountMs)
    })
    const inProcess = await onEmbeddedCopy(embedded, async (dataDir) => {
      const recountMs = await withEmbedded(dataDir, async (db) => runRecount(db, await makeLongHistory(db, bets)))
      return statisticsLine('embedded, ', bets, await runStatistics({ DATA_DIR: dataDir }, samples), recountMs)
    })
    return [native, inProcess]
  } finally {
    await template.drop()
    embedded.drop()
  }
}

/** Measures the cost of the open book beside the game (docs/open-book.md §7). */
async function measureBook(): Promise<Line[]> {
  const { perSecond, seconds: lastsS, idleS, tiles, samples } = size.book
  const sealing = await onDatabase('book_sealing', async (_, db) => {
    const seen = await runSealing(db, perSecond, lastsS)
    return { seen, betBytes: await bytesOfABet(db, seen.sealed) }
  })
  const idleDayBytes = await onDatabase('book_idle', (_, db) => runIdleDay(db, idleS))
  const reading = await onDatabase('book_reading', (url, db) => runReading(url, db, tiles, samples))
  return [
    ...sealingLines(perSecond, sealing.seen, sealing.betBytes, idleDayBytes),
    ...(await measureClosing()),
    ...readingLines(reading),
  ]
}

/** Measures the longest block of the event loop while a round is closed in the log: the median of several runs. */
async function measureClosing(): Promise<Line[]> {
  const native: number[] = []
  const embedded: number[] = []
  const template = await makeEmbeddedTemplate(1)
  try {
    for (let repeat = 0; repeat < size.repeats; repeat++) {
      native.push(await onDatabase('book_closing', (_, db) => runClosing(db)))
      embedded.push(await onEmbeddedCopy(template, (dataDir) => withEmbedded(dataDir, runClosing)))
    }
  } finally {
    template.drop()
  }
  return [closingLine('', median(native)), closingLine('embedded, ', median(embedded))]
}

const seconds = (ms: number | undefined): string => `${((ms ?? Number.NaN) / 1000).toFixed(2)} s`

const blockedLine = (name: string, blockedMs: number): Line => ({
  name: `${name}: event loop blocked at most`,
  ours: `${Math.round(blockedMs)} ms`,
  yardstick: '',
  ratio: '',
  bar: '≤ 50 ms',
  isMet: blockedMs <= 50,
  note: '',
})

async function measure(): Promise<Line[]> {
  const lines: Line[] = []
  const wantsBets = (['in-process', 'http', 'processes', 'embedded'] as const).some(wants)
  await dropLeftovers()
  const embedded = wants('embedded') || wants('settle') ? await makeEmbeddedTemplate(size.embeddedPlayers) : null
  try {
    if (wantsBets) {
      const template = await makeTemplate(size.players)
      try {
        lines.push(...(await measureBets(template, wants('embedded') ? embedded : null)))
      } finally {
        await template.drop()
      }
    }
    if (wants('settle') || wants('lag')) {
      const settled = wants('settle') ? Math.max(...size.settle) + WARM_BETS : 0
      const template = await makeTemplate(Math.max(settled, wants('lag') ? size.lagRounds * BETS_A_ROUND : 0))
      try {
        if (wants('settle')) lines.push(...(await measureSettling(template)))
        if (wants('lag')) lines.push(...(await measureLag(template)))
      } finally {
        await template.drop()
      }
    }
    if (wants('lists')) lines.push(...(await measureLists()))
    if (wants('public')) lines.push(...(await measurePublic()))
    if (wants('book')) lines.push(...(await measureBook()))
    if (wants('verify')) lines.push(...verifyLines(await runVerify(size.verifyRounds)))
    if (wants('relay')) lines.push(...(await runRelay()))
    if (wants('sockets')) lines.push(...(await measureSockets(size.sockets.counts, size.sockets.ticks)))
    if (wants('care')) lines.push(...(await measureCare()))
    if (wants('growth')) lines.push(...(await measureGrowth()))
    if (wants('costs')) lines.push(...(await measureCosts(size.costs)))
    if (wants('statistics')) lines.push(...(await measureStatistics()))
    if (wants('settle') && embedded !== null) lines.push(...(await measureEmbeddedSettling(embedded)))
  } finally {
    embedded?.drop()
  }
  return lines
}

try {
  const load = loadavg()[0]?.toFixed(2)
  const lines = await measure()
  process.stdout.write(
    `${cpus().length} × ${cpus()[0]?.model}, Node ${process.versions.node}, PostgreSQL ${await serverVersion()}, ` +
      `load ${load} before, ${new Date().toISOString()}\n\n`,
  )
  printLines(lines)
  if (args.quick)
    process.stdout.write('\n--quick proves that everything works and the books are right; its figures mean nothing.\n')
} catch (error) {
  // A missed bar does not fail the run. A wrong ledger does, and every error that stops a benchmark.
  process.stderr.write(`${error instanceof WrongLedgerError ? error.message : String((error as Error).stack)}\n`)
  process.exitCode = 1
}
