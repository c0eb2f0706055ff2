import { expect, test } from 'vitest'
import { NOTICES_PER_PAGE } from '#contract/notices.ts'
import { createNews } from './news.ts'
import { aBetNotice, aCareNotice, aLimitNotice, anAdjustmentNotice, aRequestNotice } from '#web/testing/notices.ts'

const ids = (notices: readonly { readonly id: string }[]) => notices.map(({ id }) => id)

test('what happened before the page was opened is told by the bell alone', () => {
  const news = createNews(false)
  expect(news([aBetNotice(1)], '/account').now).toEqual([])
  expect(ids(news([aBetNotice(2), aBetNotice(1)], '/account').now)).toEqual(['bet:b2'])
  // Once is enough.
  expect(news([aBetNotice(2), aBetNotice(1)], '/account').now).toEqual([])
})

test('an older notice that comes into the page when a read conversation leaves it is no news', () => {
  const news = createNews(false)
  const bets = Array.from({ length: 41 }, (_, at) => aBetNotice(at)).toReversed()
  news([aCareNotice(), ...bets.slice(1, NOTICES_PER_PAGE)], '/account')
  expect(news(bets.slice(1, NOTICES_PER_PAGE + 1), '/account').now).toEqual([])
  expect(ids(news(bets.slice(0, NOTICES_PER_PAGE), '/account').now)).toEqual(['bet:b40'])
})

test('what another device has read meanwhile is not told', () => {
  const news = createNews(false)
  news([], '/account')
  expect(news([{ ...aBetNotice(1), isRead: true }], '/account').now).toEqual([])
})

test.each([
  ['/', aBetNotice(1)],
  ['/account/bets', aBetNotice(1)],
  ['/transaction', aRequestNotice()],
  ['/support', aCareNotice()],
  ['/account/ledger', anAdjustmentNotice()],
  ['/account/notifications', aBetNotice(1)],
] as const)('%s shows its own news without a toast, also after it was left', (path, notice) => {
  const news = createNews(false)
  news([], path)
  expect(news([notice], path)).toEqual({ now: [], later: [] })
  expect(news([notice], '/account')).toEqual({ now: [], later: [] })
})

test('in the game a result waits for the popup, other news do not', () => {
  const news = createNews(false)
  news([], '/games')
  const { now, later } = news([aRequestNotice(), aBetNotice(1)], '/games')
  expect([ids(now), ids(later)]).toEqual([['request:1'], ['bet:b1']])
})

test('a further reply in a conversation is news again; staff read those in their sidebar', () => {
  const [news, ofStaff] = [createNews(false), createNews(true)]
  news([aCareNotice(1)], '/account')
  expect(ids(news([aCareNotice(2)], '/account').now)).toEqual(['care:1'])
  // After a merge the same reply stands in another conversation.
  expect(news([{ ...aCareNotice(2), id: 'care:merged' }], '/account').now).toEqual([])
  ofStaff([], '/admin')
  expect(ofStaff([aCareNotice(1)], '/admin').now).toEqual([])
})

test('a used-up limit is in the list and in no toast', () => {
  const news = createNews(false)
  news([], '/account')
  expect(news([{ ...aLimitNotice(), isRead: false }], '/account').now).toEqual([])
})
