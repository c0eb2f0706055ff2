import { type Alert, ALERT_NEEDS, ALERT_OF, FEED_ALARM_AFTER_MS } from '#domain/attention/attention.ts'
import type { Capability } from '#domain/identity/permissions.ts'
import type { Attention, AttentionItem, Waiting } from './api.ts'

/** The signed-in admin. A proposal of their own is not news for them. */
export type Self = { readonly id: string; readonly capabilities: readonly Capability[] }

/** An alarm, or one row that waits for staff. `key` is the kind of an alarm, or the kind, id and time of a row. */
export type News = {
  readonly key: string
  readonly alert: Alert
  readonly item: AttentionItem
  /** The waiting row that the news is about; null for an alarm. */
  readonly of: Waiting | null
  /** The row's time, or the answer's time for an alarm. By the server's clock. */
  readonly atMs: number
}

const mayAct = (alert: Alert, { capabilities }: Self) => {
  const needed = ALERT_NEEDS[alert]
  return needed === null || capabilities.includes(needed)
}

/** Returns the items that the bell counts: those whose alert this admin may act on and has not muted. */
export const toldItems = ({ items, muted }: Attention, self: Self): readonly AttentionItem[] =>
  items.filter(({ kind }) => {
    const alert = ALERT_OF[kind]
    return alert !== null && !muted.includes(alert) && mayAct(alert, self)
  })

/** Returns the news on which this admin may act, muted or not, without the admin's own proposals. */
export function newsIn({ items, serverTimeMs }: Attention, self: Self): readonly News[] {
  return items.flatMap((item): readonly News[] => {
    const alert = ALERT_OF[item.kind]
    if (alert === null || !mayAct(alert, self)) return []
    if (alert === 'alarm') {
      const sinceMs = item.sinceMs ?? serverTimeMs
      const isBrief = item.kind === 'feed' && serverTimeMs - sinceMs < FEED_ALARM_AFTER_MS
      // The key does not contain the alarm's reason, so an alarm whose reason changes is not new.
      return isBrief ? [] : [{ key: item.kind, alert, item, of: null, atMs: serverTimeMs }]
    }
    return item.newest
      .filter(({ proposedById }) => proposedById !== self.id)
      .map((of) => ({ key: `${item.kind}:${of.id}:${String(of.atMs)}`, alert, item, of, atMs: of.atMs }))
  })
}

/** A row is committed up to this long after its timestamp, which may thus be from before the page was opened. */
const commitMs = 60_000
const toldMax = 500

export type Memory = {
  /** The keys of the news in the first answer that the page got. That answer causes no desktop notifications. */
  readonly before: ReadonlySet<string>
  readonly openedAtMs: number
  /** An answer may have left out conversations that began to wait before this time: it names only the newest ones. */
  readonly unnamedBeforeMs: number
}

/** Returns the time before which an answer may leave out conversations, because it names only the newest ones. */
function unnamedBefore(news: readonly News[]): number {
  const item = news.find((one) => one.item.kind === 'conversation')?.item
  if (item === undefined || item.count <= item.newest.length) return Number.NEGATIVE_INFINITY
  return Math.min(...item.newest.map(({ atMs }) => atMs))
}

export function remember(first: Attention, self: Self): Memory {
  const news = newsIn(first, self)
  const before = new Set(news.map(({ key }) => key))
  return { before, openedAtMs: first.serverTimeMs, unnamedBeforeMs: unnamedBefore(news) }
}

/**
 * Returns as `fresh` the news whose key is neither in `before` nor in `told`. Rows from more than `commitMs` before the
 * page was opened are not fresh: such a row may be among the newest 20 of its kind only because staff decided younger
 * rows. For conversations, the limit is `unnamedBeforeMs` instead, since a conversation can become due long after its
 * wait began (rules §7.17). The keys of alarms that are over are dropped from `told` and `before`, so that an alarm is
 * fresh when it comes back.
 */
export function freshNews(
  now: readonly News[],
  { before, openedAtMs, unnamedBeforeMs }: Memory,
  told: readonly string[],
): { readonly fresh: readonly News[]; readonly told: readonly string[]; readonly memory: Memory } {
  const known = new Set(told)
  const isNew = ({ item, of, atMs }: News) =>
    of === null || atMs > (item.kind === 'conversation' ? unnamedBeforeMs : openedAtMs - commitMs)
  const fresh = now.filter((news) => !known.has(news.key) && !before.has(news.key) && isNew(news))
  const present = new Set(now.map(({ key }) => key))
  const isLasting = (key: string) => key.includes(':') || present.has(key)
  return {
    fresh,
    told: [...told.filter(isLasting), ...fresh.map(({ key }) => key)].slice(-toldMax),
    memory: {
      before: new Set([...before].filter(isLasting)),
      openedAtMs,
      unnamedBeforeMs: Math.max(unnamedBeforeMs, unnamedBefore(now)),
    },
  }
}
