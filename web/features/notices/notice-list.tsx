import { groupBy } from '#domain/group-by.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatDay, formatMinute } from '#web/platform/formats.ts'
import { useTodayMs } from '#web/platform/ticker.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { classNames } from '#web/ui/class-names.ts'
import type { IconComponent } from '#web/ui/icon.tsx'
import { ArrowDownUp } from '#web/ui/icons/arrow-down-up.tsx'
import { ChevronRight } from '#web/ui/icons/chevron-right.tsx'
import { Gavel } from '#web/ui/icons/gavel.tsx'
import { Headset } from '#web/ui/icons/headset.tsx'
import { MessageSquareWarning } from '#web/ui/icons/message-square-warning.tsx'
import { MonitorSmartphone } from '#web/ui/icons/monitor-smartphone.tsx'
import { ShieldAlert } from '#web/ui/icons/shield-alert.tsx'
import { SlidersHorizontal } from '#web/ui/icons/sliders-horizontal.tsx'
import { Timer } from '#web/ui/icons/timer.tsx'
import { Wallet } from '#web/ui/icons/wallet.tsx'
import { markReadIfAll, type Notice, type NoticeKind } from './api.ts'
import { noticeWords } from './notice-words.ts'
import { noticeTexts } from './notices-texts.ts'

export function NoticeList({ notices, isStaff }: { readonly notices: readonly Notice[]; readonly isStaff: boolean }) {
  const todayMs = useTodayMs()
  return (
    <div>
      {[...groupBy(notices, ({ atMs }) => formatDay(atMs, todayMs))].map(([day, ofDay]) => (
        <section key={day} aria-label={day}>
          <h2 className="border-y border-line bg-surface-2 px-4 py-1.5 text-xs font-medium text-ink-3 tabular-nums">
            {day}
          </h2>
          <ul className="divide-y divide-line">
            {ofDay.map((notice) => (
              <li key={notice.id}>
                <Way notice={notice} isStaff={isStaff}>
                  <Row notice={notice} isStaff={isStaff} />
                </Way>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

type WayProps = { readonly notice: Notice; readonly isStaff: boolean; readonly children: ReactNode }

/** The link from a row to the subject of its notice. A click marks the notice as read if no other notice is unread. */
function Way({ notice, isStaff, children }: WayProps) {
  const { bet, request, dispute = null, round } = notice
  const look = {
    onClick: () => void markReadIfAll([notice.id]).catch(() => {}),
    className:
      'flex items-center gap-3 py-2.5 pr-2 pl-4 transition-colors hover:bg-surface-press focus-visible:-outline-offset-2',
    children,
  }
  if (bet !== null) return <Link to="/account/bets" search={{ bet: bet.id }} {...look} />
  if (dispute !== null) return <Link to="/account/bets" search={{ bet: dispute.betId }} {...look} />
  if (round !== null) return <Link to="/account/bets" search={{ bet: round.betId }} {...look} />
  if (request !== null) return <Link to="/transaction" search={{ request: request.id }} {...look} />
  if (notice.kind === 'device' || notice.kind === 'factor')
    return <Link to={isStaff ? '/admin/security' : '/account/settings'} {...look} />
  if (notice.kind === 'care') return <Link to={isStaff ? '/admin/chat' : '/support'} {...look} />
  return <Link to={notice.kind === 'limit' ? '/account/limits' : '/account/ledger'} {...look} />
}

const icons: Readonly<Record<NoticeKind, IconComponent>> = {
  bet: ArrowDownUp,
  request: Wallet,
  care: Headset,
  adjustment: SlidersHorizontal,
  dispute: MessageSquareWarning,
  round: Gavel,
  limit: Timer,
  device: MonitorSmartphone,
  factor: ShieldAlert,
}

function Row({ notice, isStaff }: { readonly notice: Notice; readonly isStaff: boolean }) {
  const { title, detail, amount } = noticeWords(notice, isStaff)
  const Icon = icons[notice.kind]
  return (
    <>
      <span className="relative shrink-0 text-gold">
        <Icon aria-hidden size={20} strokeWidth={1.7} />
        {!notice.isRead && <span className="absolute -top-1 -right-1.5 size-2.5 rounded-pill bg-down-fill" />}
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className={classNames('min-w-0', notice.isRead ? 'text-ink-2' : 'font-semibold')}>
            {!notice.isRead && <span className="sr-only">{noticeTexts.unread}: </span>}
            <span>{title}</span>
          </span>
          {amount !== null && (
            <AmountText
              amountMinor={amount.minor}
              kind={amount.kind}
              className={classNames('ml-auto', !notice.isRead && 'font-semibold')}
            />
          )}
        </span>
        <span className="block text-xs text-ink-3 tabular-nums [overflow-wrap:anywhere]">
          {formatMinute(notice.atMs)} · {detail}
        </span>
      </span>
      <ChevronRight aria-hidden size={16} className="shrink-0 text-ink-3" />
    </>
  )
}
