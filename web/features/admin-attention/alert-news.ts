import { type Alert, ALERT_NEEDS, ALERT_OF, FEED_ALARM_AFTER_MS, REPLY_DUE_MS } from '#domain/attention/attention.ts'
import type { Capability } from '#domain/identity/permissions.ts'
import type { Attention, AttentionItem, Waiting } from './api.ts'

/** Who is asked: what they may do, and that their own proposals are no news to them. */
export type Self = { readonly id: string; readonly capabilities: readonly Capability[] }

/** One thing of which staff are told, by a key that is its own for as long as it lasts. */
export type News = {
  readonly key: string
  readonly alert: Alert
  readonly item: AttentionItem
  /** Null for an alarm. */
  readonly of: Waiting | null
  /** When it became worth telling, by the server's clock. */
  readonly atMs: number
}

const mayAct = (alert: Alert, { capabilities }: Self) => {
  const needed = ALERT_NEEDS[alert]
  return needed === null || capabilities.includes(needed)
}

/** What the bell counts for this admin: what they can act on and have not switched off. */
export const toldItems = ({ items, muted }: Attention, self: Self): readonly AttentionItem[] =>
  items.filter(({ kind }) => {
    const alert = ALERT_OF[kind]
    return alert !== null && !muted.includes(alert) && mayAct(alert, self)
  })

/** Everything of which this admin could be told now, also what they have switched off. */
export function newsIn({ items, serverTimeMs }: Attention, self: Self): readonly News[] {
  return items.flatMap((item): readonly News[] => {
    const alert = ALERT_OF[item.kind]
    if (alert === null || !mayAct(alert, self)) return []
    if (alert === 'alarm') {
      const sinceMs = item.sinceMs ?? serverTimeMs
      const isBrief = item.kind === 'feed' && serverTimeMs - sinceMs < FEED_ALARM_AFTER_MS
      // One alarm lasts until it is over, whatever its reason becomes.
      return isBrief ? [] : [{ key: item.kind, alert, item, of: null, atMs: serverTimeMs }]
    }
    return item.newest
      .filter(({ proposedById }) => proposedById !== self.id)
      .map((of) => ({
        key: `${item.kind}:${of.id}:${String(of.atMs)}`,
        alert,
        item,
        of,
        atMs: item.kind === 'conversation' ? of.atMs + REPLY_DUE_MS : of.atMs,
      }))
  })
}

/** Rows of this long before the page's first answer may have been committed after it. */
const commitMs = 60_000
const toldMax = 500

export type Memory = {
  /** What was there when the page was opened: the bell tells it. */
  readonly before: ReadonlySet<string>
  readonly openedAtMs: number
}

export const remember = (first: Attention, self: Self): Memory => ({
  before: new Set(newsIn(first, self).map(({ key }) => key)),
  openedAtMs: first.serverTimeMs,
})

/**
 * What is new since the page was opened and no page of this browser has told, and everything told from now on. An alarm
 * that is over is forgotten, so that it is told when it comes again. A request that is named again because younger ones
 * were decided is no news.
 */
export function freshNews(
  now: readonly News[],
  { before, openedAtMs }: Memory,
  told: readonly string[],
): { readonly fresh: readonly News[]; readonly told: readonly string[] } {
  const known = new Set(told)
  const fresh = now.filter(
    ({ key, atMs, of }) => !known.has(key) && !before.has(key) && (of === null || atMs > openedAtMs - commitMs),
  )
  const present = new Set(now.map(({ key }) => key))
  const isLasting = (key: string) => key.includes(':') || present.has(key)
  return { fresh, told: [...told.filter(isLasting), ...fresh.map(({ key }) => key)].slice(-toldMax) }
}
