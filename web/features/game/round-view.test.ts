import { describe, expect, test } from 'vitest'
import { edgesOf, roundOf, viewRound, whileSilent } from './round-view.ts'
import { aRound, opensAtMs } from '#web/testing/game.ts'

const view = (round: Parameters<typeof aRound>[0], atMs: number) =>
  viewRound({ data: { kind: 'round', round: aRound(round) }, error: null }, opensAtMs + atMs).state

describe('the state of the selected round', () => {
  test.each([
    [0, 'opening'],
    [999, 'opening'],
    [1_000, 'running'],
    [28_999, 'running'],
    [29_000, 'closing'],
    [29_999, 'closing'],
    [30_000, 'settling'],
    [95_000, 'settling'],
  ])('%i ms after its start it is %s', (atMs, state) => {
    expect(view({}, atMs)).toBe(state)
  })

  test('a live round locks at the time in its own row', () => {
    expect(view({ locksAtMs: opensAtMs + 27_000 }, 27_000)).toBe('closing')
  })

  test('a silent feed closes a running round and leaves other states alone', () => {
    expect(view({ isBettingOpen: false }, 500)).toBe('feed-closed')
    expect(view({ isBettingOpen: false }, 10_000)).toBe('feed-closed')
    expect(view({ isBettingOpen: false }, 29_500)).toBe('closing')
    expect(view({ isBettingOpen: false }, 30_500)).toBe('settling')
  })

  describe('while the price on this page is too old', () => {
    const at = (atMs: number, silence: Parameters<typeof whileSilent>[1]) =>
      whileSilent(viewRound({ data: { kind: 'round', round: aRound() }, error: null }, opensAtMs + atMs), silence)
    const instants = [500, 10_000, 29_500, 30_500]

    test.each([
      [null, ['opening', 'running', 'closing', 'settling']],
      ['feed', ['feed-closed', 'feed-closed', 'closing', 'settling']],
      ['asked', ['loading', 'loading', 'closing', 'settling']],
      // A server that tells nothing settles nothing that this page could know of.
      ['server', ['away', 'away', 'away', 'away']],
    ] as const)('because of %s, it takes no bets', (silence, states) => {
      expect(instants.map((atMs) => at(atMs, silence).state)).toEqual(states)
    })

    test('the round stays on screen', () => {
      const seen = viewRound({ data: { kind: 'round', round: aRound() }, error: null }, opensAtMs + 10_000)
      expect(roundOf(whileSilent(seen, 'feed'))).toBe(roundOf(seen))
      expect(roundOf(at(30_500, 'server'))?.id).toBe('round-1')
      expect(whileSilent({ state: 'loading' }, 'server')).toEqual({ state: 'loading' })
      const none = { state: 'none', nextOpensAtMs: opensAtMs, roundNumber: 7 } as const
      expect(whileSilent(none, 'server')).toEqual({ state: 'away', round: null })
      expect(whileSilent(none, 'feed')).toEqual(none)
    })
  })

  test('it changes with time exactly at the watched instants', () => {
    const edges = edgesOf(aRound()).map((edge) => edge - opensAtMs)
    expect(edges).toEqual([1_000, 29_000, 30_000])
    const changes = Array.from({ length: 310 }, (_, step) => step * 100).filter(
      (atMs) => atMs > 0 && view({}, atMs) !== view({}, atMs - 100),
    )
    expect(changes).toEqual(edges)
  })

  test('without an answer it is loading or failed', () => {
    const error = new Error('no answer')
    expect(viewRound({ data: undefined, error: null }, 0)).toEqual({ state: 'loading' })
    expect(viewRound({ data: undefined, error }, 0)).toEqual({ state: 'unreachable', error })
  })

  test('an earlier answer stays after a failed refresh', () => {
    const data = { kind: 'round', round: aRound() } as const
    expect(viewRound({ data, error: new Error('no answer') }, opensAtMs + 5_000).state).toBe('running')
  })

  test.each(['none', 'deleted'] as const)('a window whose round is %s shows when the next one begins', (kind) => {
    const data = { kind, nextOpensAtMs: opensAtMs + 30_000, roundNumber: 7, priceSource: 'simulated' }
    expect(viewRound({ data, error: null }, opensAtMs)).toEqual({
      state: kind,
      nextOpensAtMs: opensAtMs + 30_000,
      roundNumber: 7,
    })
  })
})
