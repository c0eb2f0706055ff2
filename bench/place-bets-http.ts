import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type RunningServer, withServer } from '#testing/machines/process.ts'
import { ROUND_ID, shuffled, STAKE_POINTS, tokenOf } from './world.ts'

const run = promisify(execFile)
const scriptPath = fileURLToPath(new URL('load.lua', import.meta.url))

/** The server compiles its hot paths during this time; pgbench has nothing to compile. */
const WARM_S = 3

/** Bets per second over HTTP, and wrk's time of a bet: from the request's first byte to the answer's last byte. */
export interface HttpRate {
  readonly rate: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/**
 * Starts the product as `npm start` does, and lets wrk place one bet for each player.
 * @param connections the number of connections to each process. Each process has players of its own
 * @param processes the number of processes, all on one database. More than one need a REDIS_URL
 * @returns the bets a second of all processes together, and the times of the slowest process
 */
export async function runHttp(
  env: Record<string, string>,
  players: number,
  connections: number,
  durationS: number,
  processes = 1,
): Promise<HttpRate> {
  const order = shuffled(players)
  const each = Math.floor(players / processes)
  const warmers = Math.floor(each / 5)
  const runAll = async (started: readonly RunningServer[]): Promise<HttpRate> => {
    if (started.length < processes) return withServer(env, (server) => runAll([...started, server]))
    for (const { address } of started) await foldCandles(address)
    const loadAll = (from: number, to: number, lastsS: number) =>
      Promise.all(
        started.map(({ address, dataDir }, nth) =>
          load(
            `${address}/api/v1/history`,
            dataDir,
            order.slice(each * nth + from, each * nth + to),
            connections,
            lastsS,
          ),
        ),
      )
    await loadAll(0, warmers, WARM_S)
    const seen = await loadAll(warmers, each, durationS)
    return {
      rate: seen.reduce((sum, { rate }) => sum + rate, 0),
      p50Ms: Math.max(...seen.map(({ p50Ms }) => p50Ms)),
      p99Ms: Math.max(...seen.map(({ p99Ms }) => p99Ms)),
    }
  }
  return runAll([])
}

/** Lets wrk place one bet for each player. A connection sends its next bet as soon as the last one is answered. */
async function load(
  url: string,
  folder: string,
  players: readonly number[],
  connections: number,
  durationS: number,
): Promise<HttpRate> {
  const requests = join(folder, 'requests')
  writeFileSync(requests, players.map(requestOf).join(''))
  const { stdout } = await run(
    'wrk',
    ['-t', '1', '--timeout', '30s', '-c', `${connections}`, '-d', `${durationS}s`, '-s', scriptPath, url, requests],
    { maxBuffer: 2 ** 24 },
  )
  const told = /^\{.*\}$/m.exec(stdout)?.[0]
  if (told === undefined) throw new Error(`wrk said something else: ${stdout}`)
  const seen = JSON.parse(told) as Record<string, number>
  const { requests: answered = 0, durationUs = 0, refused = 0, broken = 0, p50Us = 0, p99Us = 0 } = seen
  if (refused > 0 || broken > 0) throw new Error(`Bets were refused: ${stdout}`)
  return { rate: (answered / durationUs) * 1e6, p50Ms: p50Us / 1000, p99Ms: p99Us / 1000 }
}

/**
 * After its start the server aggregates a week of candles in the background; a call for candles waits until that is
 * done.
 */
export async function foldCandles(address: string): Promise<void> {
  const from = new Date(Date.now() - 7 * 86_400_000).toISOString()
  const answer = await fetch(`${address}/api/v1/market/candles?interval=60&from=${from}`, {
    headers: { authorization: `Bearer ${tokenOf(1)}` },
  })
  if (!answer.ok) throw new Error(`The candles could not be read: ${await answer.text()}`)
}

/** Returns one line of input for load.lua: the request that our client would send. */
function requestOf(n: number): string {
  const body = { gameId: ROUND_ID, score: STAKE_POINTS, value: 'UP', seenBasis: 'PRICE' }
  return `${tokenOf(n)} key-${n} ${JSON.stringify(body)}\n`
}
