import { groupBy } from '#domain/group-by.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { TimelineEntry } from '#contract/customer.ts'
import { TIMELINE_FILTERS, type TimelineFilter, type TimelineKind } from '#domain/customer/timeline.ts'
import { formatDay, formatTime } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { MoreRows } from '#web/ui/more-rows.tsx'
import { ChoiceBar } from '#web/lists/controls.tsx'
import { RoundLink } from '#web/parts/round-link.tsx'
import type { IconComponent } from '#web/ui/icon.tsx'
import { ArrowLeftRight } from '#web/ui/icons/arrow-left-right.tsx'
import { Gavel } from '#web/ui/icons/gavel.tsx'
import { Hourglass } from '#web/ui/icons/hourglass.tsx'
import { KeyRound } from '#web/ui/icons/key-round.tsx'
import { Landmark } from '#web/ui/icons/landmark.tsx'
import { MessageSquareText } from '#web/ui/icons/message-square-text.tsx'
import { MessageSquareWarning } from '#web/ui/icons/message-square-warning.tsx'
import { NotebookPen } from '#web/ui/icons/notebook-pen.tsx'
import { ScrollText } from '#web/ui/icons/scroll-text.tsx'
import { Stamp } from '#web/ui/icons/stamp.tsx'
import { TrendingUp } from '#web/ui/icons/trending-up.tsx'
import { UserPlus } from '#web/ui/icons/user-plus.tsx'
import { WalletMinimal } from '#web/ui/icons/wallet-minimal.tsx'
import { Pending } from '#web/ui/pending.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { adminCustomerTexts as texts } from './admin-customer-texts.ts'
import { timelineQuery } from './api.ts'
import { type CustomerWords, entryWords } from './timeline-words.ts'

const icons: Readonly<Record<TimelineKind, IconComponent>> = {
  account: UserPlus,
  session: KeyRound,
  bank: Landmark,
  limits: Hourglass,
  bet: TrendingUp,
  request: ArrowLeftRight,
  decision: Stamp,
  transfer: WalletMinimal,
  conversation: MessageSquareText,
  dispute: MessageSquareWarning,
  answer: Gavel,
  act: ScrollText,
  note: NotebookPen,
}

/** A customer's events, newest first and grouped by day (rules §4.9). */
export function Timeline({ userId, words }: { readonly userId: string; readonly words: CustomerWords }) {
  const [only, setOnly] = useState<TimelineFilter | null>(null)
  const query = useInfiniteQuery(timelineQuery(userId, only))
  const entries = query.data?.pages.flatMap((page) => page.entries)
  return (
    <div className="flex flex-col gap-2.5">
      <ChoiceBar
        label={texts.timelineFilter}
        value={only ?? 'all'}
        onChange={(value) => setOnly(value === 'all' ? null : value)}
        choices={[
          { value: 'all' as const, label: texts.everything },
          ...TIMELINE_FILTERS.map((value) => ({ value, label: texts.only[value] })),
        ]}
      />
      <Card isPadded={false} className="overflow-hidden">
        {entries === undefined ? (
          <Pending query={query} className="flex flex-col gap-3 p-4" shapes={Array<string>(8).fill('h-9')} />
        ) : entries.length === 0 ? (
          <EmptyState text={only === null ? texts.timelineEmpty : texts.timelineEmptyFiltered} />
        ) : (
          [...groupBy(entries, ({ atMs }) => formatDay(atMs, serverNowMs()))].map(([day, ofDay]) => (
            <section key={day} aria-label={day}>
              <h2 className="border-y border-line bg-surface-2 px-4 py-1.5 text-xs font-semibold text-ink-3 tabular-nums">
                {day}
              </h2>
              <ol className="divide-y divide-line">
                {ofDay.map((entry) => (
                  <Entry key={entry.cursor} entry={entry} words={words} />
                ))}
              </ol>
            </section>
          ))
        )}
        <MoreRows key={only} query={query} label={texts.more} />
      </Card>
    </div>
  )
}

function Entry({ entry, words }: { readonly entry: TimelineEntry; readonly words: CustomerWords }) {
  const { title, detail, amount, badge } = entryWords(entry, words)
  const Icon = icons[entry.kind]
  return (
    <li className="flex items-start gap-3 px-4 py-2 text-dense">
      <Icon aria-hidden size={16} strokeWidth={1.7} className="mt-0.5 shrink-0 text-ink-3" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium [overflow-wrap:anywhere]">{title}</span>
          {badge && <Badge tone={badge.tone}>{badge.label}</Badge>}
        </p>
        {detail !== null && (
          <p className="[overflow-wrap:anywhere] whitespace-pre-line text-ink-2">
            {entry.round === null ? detail : <RoundLink roundId={entry.round.id}>{detail}</RoundLink>}
          </p>
        )}
      </div>
      <div className="flex shrink-0 flex-col items-end tabular-nums">
        {amount && (
          <AmountText
            amountMinor={amount.minor}
            {...(amount.isSigned && { kind: 'signed' as const })}
            className="font-medium"
          />
        )}
        <span className="text-xs text-ink-3">{formatTime(entry.atMs)}</span>
      </div>
    </li>
  )
}
