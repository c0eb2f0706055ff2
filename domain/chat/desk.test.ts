import { describe, expect, test } from 'vitest'
import { type CaseTopic, decideDeskChange, type Desk, deskAfter, deskStateAt, SNOOZE_MAX_MS } from './desk.ts'

const open: Desk = { state: 'open', snoozedUntilMs: null, waitingSinceMs: null }
const snoozed: Desk = { state: 'snoozed', snoozedUntilMs: 1_000, waitingSinceMs: 5 }

const said = (sentAtMs: number, topic: CaseTopic | null = null) => ({ isOfPlayer: true, sentAtMs, topic })

test('a snoozed conversation is open again from its time on', () => {
  expect([999, 1_000].map((at) => deskStateAt(snoozed, at))).toEqual(['snoozed', 'open'])
  expect(deskStateAt({ ...open, state: 'done' }, 9)).toBe('done')
})

test('a message of the player opens it and waits from the first one on; one of staff ends the wait alone', () => {
  const asked = deskAfter({ ...open, state: 'done' }, said(7))
  expect(asked).toEqual({ state: 'open', snoozedUntilMs: null, waitingSinceMs: 7, topic: null })
  expect(deskAfter(asked, said(9)).waitingSinceMs).toBe(7)
  expect(deskAfter(snoozed, said(9))).toMatchObject({ state: 'open', waitingSinceMs: 5 })
  expect(deskAfter(snoozed, { ...said(9), isOfPlayer: false })).toEqual({ ...snoozed, waitingSinceMs: null })
})

test('a topic is named by the first words that name one, and is another case’s after done', () => {
  const asked = deskAfter(open, said(7))
  const named = deskAfter(asked, said(8, 'withdrawal'))
  expect([asked.topic, named.topic, deskAfter(named, said(9, 'account')).topic]).toEqual([
    null,
    'withdrawal',
    'withdrawal',
  ])
  expect(deskAfter({ ...named, state: 'done' }, said(9, 'account')).topic).toBe('account')
})

describe('a change of the state', () => {
  const conversation = { holderId: 'h', newestOfPlayerSeq: 4 }
  const nowMs = 1_000_000
  const decide = (change: Partial<Parameters<typeof decideDeskChange>[2]>, actor = 'h') =>
    decideDeskChange(actor, conversation, { state: 'done', untilMs: null, seenSeq: 4, ...change }, nowMs)

  test('is its holder’s, who saw the player’s last message', () => {
    expect(decide({})).toBeNull()
    expect(decide({}, 'x')).toBe('HOLDER_CHANGED')
    expect(decide({ seenSeq: 3 })).toBe('NEW_MESSAGE')
    expect(decide({ state: 'snoozed', untilMs: nowMs + 1, seenSeq: 3 })).toBe('NEW_MESSAGE')
    // Whoever opens it again ends no wait.
    expect(decide({ state: 'open', seenSeq: 3 })).toBeNull()
  })

  test('snoozes for a time ahead, of 90 days at most, and no other state has one', () => {
    for (const untilMs of [nowMs + 1, nowMs + SNOOZE_MAX_MS]) expect(decide({ state: 'snoozed', untilMs })).toBeNull()
    for (const untilMs of [null, nowMs, nowMs + SNOOZE_MAX_MS + 1])
      expect(decide({ state: 'snoozed', untilMs })).toBe('SNOOZE_INVALID')
    for (const state of ['open', 'done'] as const) expect(decide({ state, untilMs: nowMs + 1 })).toBe('SNOOZE_INVALID')
  })
})
