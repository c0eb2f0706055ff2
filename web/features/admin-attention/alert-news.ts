import { type Alert, ALERT_NEEDS, ALERT_OF, FEED_ALARM_AFTER_MS, REPLY_DUE_MS } from '#domain/attention/attention.ts'
import type { Capability } from '#domain/identity/permissions.ts'
import type { Attention, AttentionItem, Waiting } from './api.ts'

/** The admin for whom news is chosen; their own proposals are no news to them. */
export type Self = { readonly id: string; readonly capabilities: readonly Capability[] }

/** A matter that staff are alerted to. Its key stays the same for as long as the matter lasts. */
export type News = {
  readonly key: string
  readonly alert: Alert
  readonly item: AttentionItem
  /** The waiting row that the news is about; null for an alarm. */
  readonly of: Waiting | null
  /** When the matter became news, by the server's clock. */
  readonly atMs: number
}

const mayAct = (alert: Alert, { capabilities }: Self) => {
  const needed = ALERT_NEEDS[alert]
  return needed === null || capabilities.includes(needed)
}

/** Returns the matters that the bell counts for this admin: those that they can act on and have not switched off. */
export const toldItems = ({ items, muted }: Attention, self: Self): readonly AttentionItem[] =>
  items.filter(({ kind }) => {
    const alert = ALERT_OF[kind]
    return alert !== null && !muted.includes(alert) && mayAct(alert, self)
  })

/** Returns all news that this admin could get now, including alerts that they have switched off. */
export function newsIn({ items, serverTimeMs }: Attention, self: Self): readonly News[] {
  return items.flatMap((item): readonly News[] => {
    const alert = ALERT_OF[item.kind]
    if (alert === null || !mayAct(alert, self)) return []
    if (alert === 'alarm') {
      const sinceMs = item.sinceMs ?? serverTimeMs
      const isBrief = item.kind === 'feed' && serverTimeMs - sinceMs < FEED_ALARM_AFTER_MS
      // The key has no reason in it, so that an alarm whose reason changes stays one alarm until it is over.
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

/** A row dated up to this long before the page's first answer may have been committed after that answer. */
const commitMs = 60_000
const toldMax = 500

export type Memory = {
  /** The news that existed when the page was opened. Only the bell shows it. */
  readonly before: ReadonlySet<string>
  readonly openedAtMs: number
}

export const remember = (first: Attention, self: Self): Memory => ({
  before: new Set(newsIn(first, self).map(({ key }) => key)),
  openedAtMs: first.serverTimeMs,
})

/**
 * Returns the news since the page was opened that no page of this browser has shown, and the keys of all news shown so
 * far. An alarm that is over loses its key, so that its next occurrence is shown. An older row that moves up into the
 * newest 20 of its kind, because younger ones were decided, is no news.
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
