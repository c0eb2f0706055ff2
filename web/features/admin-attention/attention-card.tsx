import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useContext, useId } from 'react'
import { ALERT_NEEDS, ALERT_OF, isOverdue } from '#domain/attention/attention.ts'
import { formatCount, formatDateTime } from '#web/platform/formats.ts'
import { OwnCapabilities } from '#web/platform/use-may.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { CustomerLink } from '#web/parts/customer-link.tsx'
import { ArrowRight } from '#web/ui/icons/arrow-right.tsx'
import { BellRing } from '#web/ui/icons/bell-ring.tsx'
import { CircleCheck } from '#web/ui/icons/circle-check.tsx'
import { AgeText } from '#web/ui/ticking-text.tsx'
import { Pending } from '#web/ui/pending.tsx'
import { attentionTexts as texts } from './admin-attention-texts.ts'
import { type Attention, type AttentionItem, attentionQuery } from './api.ts'
import { wayTo, whyOf } from './attention-words.ts'

/** A matter that the caller adds below the server's list. */
export type Notice = {
  readonly title: string
  readonly detail: string
  readonly to: NonNullable<LinkProps['to']>
  readonly open: string
}

/** "Cần chú ý" on the overview: the server's matters, the most urgent first, and then the notices of `also`. */
export function AttentionCard({ also = [] }: { readonly also?: ReadonlyArray<Notice | null> }) {
  const notices = also.filter((notice) => notice !== null)
  const query = useQuery(attentionQuery)
  const id = useId()
  const { data } = query
  return (
    <Card aria-labelledby={id} className="flex flex-col gap-1">
      <h2 id={id} className="flex items-center gap-2 text-base font-semibold">
        <BellRing aria-hidden size={18} strokeWidth={1.8} className="text-gold" />
        {texts.title}
      </h2>
      {data === undefined ? (
        <Pending query={query} fallback={texts.loadFailed} shapes={['h-11']} />
      ) : data.items.length === 0 && notices.length === 0 ? (
        <p className="flex min-h-target items-center gap-2 text-sm text-ink-2">
          <CircleCheck aria-hidden size={16} strokeWidth={1.8} className="shrink-0 text-up" />
          {texts.empty}
        </p>
      ) : (
        <ul className="flex flex-col divide-y divide-line">
          {data.items.map((item) => (
            <li key={item.kind} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
              {item.kind === 'luck' ? <Luck item={item} luck={data.luck} /> : <Line item={item} />}
            </li>
          ))}
          {notices.map(({ title, detail, to, open }) => (
            <li key={title} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
              <span className="min-w-0 flex-1 basis-52">
                <span className="block text-sm font-medium">{title}</span>
                <span className="block text-xs text-ink-3">{detail}</span>
              </span>
              <Way to={to} text={open} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function Line({ item }: { readonly item: AttentionItem }) {
  const { kind, count, sinceMs } = item
  const own = useContext(OwnCapabilities)
  const alert = ALERT_OF[kind]
  const needed = alert === null ? null : ALERT_NEEDS[alert]
  const isAlarm = alert === 'alarm'
  const way = wayTo(item)
  // Of the linked pages, only the chat requires a capability for reading. Mentions link to the chat, too, but the
  // server sends mentions only to admins with `care`.
  const isOpen = kind !== 'conversation' || needed === null || own.includes(needed)
  const why = whyOf(item)
  return (
    <>
      <span className="min-w-0 flex-1 basis-52">
        <span className="flex flex-wrap items-center gap-2 text-sm font-medium">
          {texts.kinds[kind]}
          <Badge tone={isOverdue(kind) ? 'down' : 'neutral'}>{isAlarm ? '!' : formatCount(count)}</Badge>
        </span>
        <span className="block text-xs text-ink-3">
          {why !== null && <span>{`${why} `}</span>}
          {sinceMs !== null && (
            <>
              <span>{`${count > 1 ? texts.longest : texts.since} `}</span>
              <AgeText atMs={sinceMs} />
            </>
          )}
        </span>
      </span>
      {way !== null && isOpen && kind !== 'luck' && <Way {...way} text={texts.open[kind]} />}
    </>
  )
}

function Way({ text, ...way }: Pick<LinkProps, 'to' | 'search'> & { readonly text: string }) {
  return (
    <Link
      {...way}
      className="inline-flex min-h-target items-center gap-1 text-sm font-medium underline-offset-4 hover:underline md:min-h-8"
    >
      {text}
      <ArrowRight aria-hidden size={14} />
    </Link>
  )
}

const namedPlayers = 5

/** Names up to five players whose luck is flagged, with their won and decided bets, and says what a flag means. */
function Luck({ item, luck }: { readonly item: AttentionItem; readonly luck: Attention['luck'] }) {
  const { players, flags, lookedAtMs } = luck
  const named = flags.slice(0, namedPlayers)
  return (
    <div className="min-w-0 flex-1">
      <p className="flex flex-wrap items-center gap-2 text-sm font-medium">
        {texts.kinds.luck}
        <Badge>{formatCount(item.count)}</Badge>
      </p>
      <ul className="text-sm">
        {named.map(({ player, won, decided }) => (
          <li key={player.id} className="flex min-h-target min-w-0 flex-wrap items-center gap-x-2 md:min-h-8">
            <CustomerLink id={player.id} name={player.username} />
            <span className="text-ink-2 tabular-nums">{texts.luckOf(formatCount(won), formatCount(decided))}</span>
          </li>
        ))}
        {item.count > named.length && (
          <li className="text-ink-2">{texts.luckMore(formatCount(item.count - named.length))}</li>
        )}
      </ul>
      <p className="text-xs text-ink-3">
        <span>{texts.luckMeaning(formatCount(players))}</span>
        {lookedAtMs !== null && <span>{` ${texts.luckAge} ${formatDateTime(lookedAtMs)}.`}</span>}
      </p>
    </div>
  )
}
