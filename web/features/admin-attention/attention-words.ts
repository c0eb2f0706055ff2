import type { LinkProps } from '@tanstack/react-router'
import { formatSignedAmount, formatWholeAmount } from '#web/platform/formats.ts'
import { attentionTexts as texts } from './admin-attention-texts.ts'
import type { News } from './alert-news.ts'
import type { AttentionItem } from './api.ts'

/** Returns the sentence for an alarm's reason, or null. The open book has other sentences for `AHEAD` and `SILENT`. */
export function whyOf({ kind, why }: Pick<AttentionItem, 'kind' | 'why'>): string | null {
  if (why === null) return null
  if (kind === 'book' && (why === 'AHEAD' || why === 'SILENT')) return texts.whys[`${why}_BOOK`]
  return texts.whys[why]
}

type Way = Pick<LinkProps, 'to' | 'search'> | null

const ways: Readonly<Record<Exclude<AttentionItem['kind'], 'conversation' | 'mention'>, Way>> = {
  ledger: { to: '/admin/audit' },
  feed: { to: '/admin/game' },
  book: { to: '/so-mo' },
  request: { to: '/admin/transaction' },
  proposal: { to: '/admin/proposals' },
  dispute: { to: '/admin/disputes' },
  luck: null,
}

/** Returns the page that an attention item links to; null for `luck`, since its line links to the players concerned. */
export function wayTo({ kind, count, newest: [only] }: AttentionItem): Way {
  if (kind === 'mention') return { to: '/admin/chat', search: { conversation: only?.id ?? '' } }
  if (kind !== 'conversation') return ways[kind]
  return { to: '/admin/chat', ...(count === 1 && only !== undefined && { search: { conversation: only.id } }) }
}

/** Returns a notification's texts. Of a player, these tell only name and amount, since others may see the screen. */
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
