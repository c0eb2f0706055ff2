import { describe, expect, test } from 'vitest'
import { sha256, verifyEd25519 } from '#web/platform/book-crypto.ts'
import type { KeptLog } from '#web/platform/book-notes.ts'
import { uuid } from '#web/testing/samples.ts'
import { hasBeatAfter, judgePromise, judgeProof, type SealJudgement, type SealTools } from './judge-seal.ts'
import { atMs, logKey, origin, otherKey, ownBet, promiseOf, type SmallLog, smallLog } from '#web/testing/seal.ts'

const bet = ownBet()
const log = smallLog(bet)

const toolsOf = ({ host }: SmallLog, known: readonly KeptLog[] = []): SealTools => ({
  get: async (path) => host.get(path),
  sha256,
  verifyEd25519,
  known,
})
const seen = (of: SmallLog, size: number): KeptLog => ({ origin, vkey: of.host.vkey, note: of.host.noteOf(size), size })
const faultOf = (judgement: SealJudgement) => (judgement.is === 'wrong' ? judgement.mismatch.fault : judgement.is)

describe('a promise', () => {
  test('about this bet, signed by the log’s key, is right, and the key is remembered', async () => {
    expect(await judgePromise(toolsOf(log), bet, promiseOf(bet))).toEqual({
      is: 'right',
      index: null,
      isLate: false,
      log: { origin, vkey: log.host.vkey, note: null, size: 0 },
    })
  })

  test.each([
    ['by another key', bet, promiseOf(bet, otherKey), 'promise-signature'],
    ['of another stake', bet, promiseOf(ownBet({ stake: 2_000 })), 'promise-path'],
    ['of the other side', bet, promiseOf(ownBet({ direction: 'DOWN' })), 'promise-path'],
    ['of another round', bet, promiseOf(ownBet({ round: uuid(3) })), 'promise-path'],
    ['at another time', bet, promiseOf(bet, logKey, atMs - 1), 'promise-time'],
    ['at another place of its batch', bet, { ...promiseOf(bet), index: 0 }, 'promise-path'],
    ['with a salt that is too short', { ...bet, salt: 'AAAA' }, promiseOf(bet), 'salt'],
    ['with another salt', { ...bet, salt: ownBet().salt.replace('B', 'C') }, promiseOf(bet), 'promise-path'],
    ['of a log that the host does not name', bet, { ...promiseOf(bet), note: 'x/promise\n\n— x AAAA\n' }, 'log-key'],
  ] as const)('%s is wrong', async (_, own, promise, fault) => {
    expect(faultOf(await judgePromise(toolsOf(log), own, promise))).toBe(fault)
  })
})

describe('a proof', () => {
  test('about this bet is right, and its note is remembered', async () => {
    const judgement = await judgeProof(toolsOf(log), bet, log.proof(), null)
    expect(judgement).toEqual({ is: 'right', index: log.index, isLate: false, log: seen(log, log.size) })
  })

  test('in a note that extends the last one is right; in an older one it is stale', async () => {
    for (const size of [1, 255, 256, 301, 310, log.size])
      expect(faultOf(await judgeProof(toolsOf(log, [seen(log, size)]), bet, log.proof(), null))).toBe('right')
    expect(faultOf(await judgeProof(toolsOf(log, [seen(log, log.size)]), bet, log.proof(305), null))).toBe('stale')
  })

  test('is late by the beat that sealed it: over 5 s after its acceptance, or past the end of its round', async () => {
    // The next beat of the log comes 200 ms after the one in the bet's place.
    const sealedAtMs = atMs - 60_000 + (log.index + 1) * 200
    const closes = sealedAtMs + 60_000
    const lateness = async (own: SmallLog, of: typeof bet, closesAtMs: number | null) => {
      const judgement = await judgeProof(toolsOf(own), of, own.proof(), closesAtMs)
      return judgement.is === 'right' ? judgement.isLate : judgement
    }
    expect(await lateness(log, bet, closes)).toBe(false)
    expect(await lateness(log, bet, sealedAtMs)).toBe(false)
    expect(await lateness(log, bet, sealedAtMs - 1)).toBe(true)
    expect(await lateness(log, bet, null)).toBe(false)
    for (const [waitedMs, isLate] of [
      [5_000, false],
      [5_001, true],
    ] as const) {
      const slow = ownBet({ at: sealedAtMs - waitedMs })
      expect(await lateness(smallLog(slow), slow, closes)).toBe(isLate)
    }
  })

  test('of another bet is wrong, and says what was found', async () => {
    const judgement = await judgeProof(toolsOf(log), ownBet({ stake: 2_000 }), log.proof(), null)
    expect(judgement).toMatchObject({ is: 'wrong', mismatch: { fault: 'proof-bet' } })
    expect(judgement.is === 'wrong' && judgement.mismatch.expected).toContain('"stake":2000')
    expect(judgement.is === 'wrong' && judgement.mismatch.found).toContain('"stake":1000')
  })

  test('is wrong with a hash, a place or a note that is another’s', async () => {
    const lines = log.proof().split('\n')
    const other = smallLog(bet, { key: otherKey })
    const swapped = lines.with(3, lines[4] ?? '').join('\n')
    const elsewhere = log.proof().replace(`index ${log.index}`, 'index 299')
    const foreign = `${log.proof().split('\n\n')[0]}\n\n${other.host.noteOf(other.size)}`
    expect(faultOf(await judgeProof(toolsOf(log), bet, swapped, null))).toBe('proof-path')
    expect(faultOf(await judgeProof(toolsOf(log), bet, elsewhere, null))).toBe('proof-path')
    expect(faultOf(await judgeProof(toolsOf(log), bet, foreign, null))).toBe('note-signature')
    expect(faultOf(await judgeProof(toolsOf(log), bet, 'no proof', null))).toBe('proof-form')
  })

  test('is wrong when the log has changed its past since this browser looked', async () => {
    const before = smallLog(bet, { differsAt: 17 })
    expect(faultOf(await judgeProof(toolsOf(log, [seen(before, 100)]), bet, log.proof(), null))).toBe('note-forked')
    // Neither does it help to show fewer entries.
    expect(faultOf(await judgeProof(toolsOf(log, [seen(before, log.size)]), bet, log.proof(310), null))).not.toBe(
      'right',
    )
    // A change after what this browser saw is not seen by it.
    expect(faultOf(await judgeProof(toolsOf(log, [seen(before, 17)]), bet, log.proof(), null))).toBe('right')
  })

  test('is wrong when the log’s key is not the one that this device saw first', async () => {
    const replaced = smallLog(bet, { key: otherKey })
    expect(faultOf(await judgeProof(toolsOf(replaced, [seen(log, 100)]), bet, replaced.proof(), null))).toBe('log-key')
    const vanished = { ...seen(log, 100), origin: 'kim-phien/gone' }
    expect(faultOf(await judgeProof(toolsOf(log, [vanished]), bet, log.proof(), null))).toBe('log-key')
  })

  test('is judged by nobody when the host answers nothing', async () => {
    const away: SealTools = { ...toolsOf(log), get: () => Promise.reject(new TypeError('offline')) }
    await expect(judgeProof(away, bet, log.proof(), null)).rejects.toThrow('offline')
  })
})

test('the newest beat tells whether the log went on', async () => {
  const newestMs = atMs - 60_000 + (log.size - 1) * 200
  expect(await hasBeatAfter(toolsOf(log), origin, newestMs - 1)).toBe(true)
  expect(await hasBeatAfter(toolsOf(log), origin, newestMs)).toBe(false)
})
