import type { LinkProps } from '@tanstack/react-router'
import { formatSignedAmount, formatWholeAmount } from '#web/platform/formats.ts'
import { attentionTexts as texts } from './admin-attention-texts.ts'
import type { News } from './alert-news.ts'
import type { AttentionItem } from './api.ts'

/** Returns the sentence that says why an alarm is on. `AHEAD` and `SILENT` have other sentences for the book. */
export function whyOf({ kind, why }: Pick<AttentionItem, 'kind' | 'why'>): string | null {
  if (why === null) return null
  if (kind === 'book' && (why === 'AHEAD' || why === 'SILENT')) return texts.whys[`${why}_BOOK`]
  return texts.whys[why]
}

/** Returns the page where staff act on a matter; null for luck, whose players are links themselves. */
export function wayTo({ kind, count, newest }: AttentionItem): Pick<LinkProps, 'to' | 'search'> | null {
  const [only] = newest
  switch (kind) {
    case 'ledger':
      return { to: '/admin/audit' }
    case 'feed':
      return { to: '/admin/game' }
    case 'book':
      return { to: '/so-mo' }
    case 'conversation':
      return count === 1 && only !== undefined
        ? { to: '/admin/chat', search: { conversation: only.id } }
        : { to: '/admin/chat' }
    case 'mention':
      return { to: '/admin/chat', search: { conversation: only?.id ?? '' } }
    case 'request':
      return { to: '/admin/transaction' }
    case 'proposal':
      return { to: '/admin/proposals' }
    case 'dispute':
      return { to: '/admin/disputes' }
    case 'luck':
      return null
  }
}

/**
 * Returns a notification's title and body. About a player they say only the username and an amount, because other
 * people may see the desktop.
 */
export function noticeOf({ item, of }: News): { readonly title: string; readonly body: string } {
  if (of === null) return { title: texts.kinds[item.kind], body: whyOf(item) ?? '' }
  const { owner, moves, amountMinor } = of
  if (item.kind === 'mention') return { title: texts.mentioned, body: owner.username }
  if (item.kind === 'conversation') return { title: texts.waitsLong, body: owner.username }
  const amount =
    amountMinor === null
      ? ''
      : moves === 'adjustment'
        ? formatSignedAmount(amountMinor)
        : formatWholeAmount(amountMinor)
  const title =
    item.kind === 'request' ? texts.newRequest[moves === 'withdrawal' ? 'withdrawal' : 'deposit'] : texts.newProposal
  return { title, body: amount === '' ? owner.username : `${owner.username} · ${amount}` }
}
