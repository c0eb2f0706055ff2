import { hashes, verify } from '@noble/ed25519'
import { sha256 as sha256InBrowser, sha512 } from '@noble/hashes/sha2.js'
import { openBookSource } from '#domain/book/book-source.ts'
import type { Sha256 } from '#domain/book/bytes.ts'
import { checkBook, type CheckResult } from '#domain/book/check-book.ts'
import type { VerifyEd25519 } from '#domain/book/note.ts'
import { type BookHost, serveBook } from '#domain/book/testing/book-host.ts'
import { makeWorld, publish } from '#domain/book/testing/book-world.ts'
import { sha256, verifyEd25519 } from '#server/features/book/key.ts'
import { generateKeyPairSync, sign } from 'node:crypto'
import type { Line } from './report.ts'

/** The times to check a whole log, as `npm run verify -- --all` does, and its last rounds, as a browser does. */
export interface VerifySeen {
  readonly rounds: number
  readonly bets: number
  readonly entries: number
  readonly wholeMs: number
  /** The CPU time of this process alone. On a busy machine it is shorter than `wholeMs`. */
  readonly wholeCpuMs: number
  readonly inBrowser: { readonly rounds: number; readonly ms: number }
}

const SECONDS_A_ROUND = 14.4
const BETS_A_ROUND = 12.5

export async function runVerify(rounds: number): Promise<VerifySeen> {
  hashes.sha512 = sha512
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = {
    publicKey: new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)),
    sign: (message: Uint8Array) => new Uint8Array(sign(null, message, privateKey)),
  }
  const seconds = Math.ceil(rounds * SECONDS_A_ROUND * 1.03)
  const world = makeWorld({ sha256, seed: 1, fromSecond: 17, seconds, betsPerRound: BETS_A_ROUND, beatEvery: 1 })
  const host = serveBook({ sha256, key, origin: 'kim-phien/bench' }, publish(sha256, world))
  const whole = await check(host, sha256, verifyEd25519, 'all')
  const inNoble: VerifyEd25519 = (raw, message, signature) => verify(signature, message, raw, { zip215: false })
  const last = await check(host, (bytes) => sha256InBrowser(bytes), inNoble, Math.ceil(rounds / 10))
  const { summary } = whole.result
  return {
    rounds: summary.closed,
    bets: whole.result.settledBets,
    entries: summary.entries,
    wholeMs: whole.ms,
    wholeCpuMs: whole.cpuMs,
    inBrowser: { rounds: last.result.summary.closed, ms: last.ms },
  }
}

async function check(
  host: BookHost,
  hash: Sha256,
  verifySignature: VerifyEd25519,
  rounds: number | 'all',
): Promise<{ readonly ms: number; readonly cpuMs: number; readonly result: CheckResult }> {
  const [from, cpu] = [performance.now(), process.cpuUsage()]
  const get = (path: string) => Promise.resolve(host.get(path))
  const source = await openBookSource({ get, sha256: hash, verifyEd25519: verifySignature })
  const result = await checkBook(source, { sha256: hash, rounds })
  if (result.faultCount > 0) throw new Error(`An honest log has faults: ${JSON.stringify(result.faults.slice(0, 3))}`)
  const { user, system } = process.cpuUsage(cpu)
  return { ms: performance.now() - from, cpuMs: (user + system) / 1000, result }
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

export const verifyLines = ({ rounds, bets, entries, wholeMs, wholeCpuMs, inBrowser }: VerifySeen): Line[] => [
  {
    name: `verify, ${rounds} rounds and ${bets} bets`,
    ours: seconds(wholeMs),
    yardstick: '',
    ratio: '',
    bar: '≤ 30 s',
    isMet: wholeMs <= 30_000,
    note: `${entries} entries; ${seconds(wholeCpuMs)} of the processor`,
  },
  {
    name: `the last ${inBrowser.rounds} rounds with the browser’s hashes`,
    ours: seconds(inBrowser.ms),
    yardstick: '',
    ratio: '',
    bar: '≤ 5 s',
    isMet: inBrowser.ms <= 5_000,
    note: '20 s at a quarter of the speed',
  },
]
