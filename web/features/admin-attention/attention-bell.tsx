import { useQuery } from '@tanstack/react-query'
import { type NavigateOptions, useRouter } from '@tanstack/react-router'
import { useContext } from 'react'
import { ALERT_OF, isOverdue } from '#domain/attention/attention.ts'
import { formatCount } from '#web/platform/formats.ts'
import { useUnreadNotices } from '#web/platform/unread-notices.ts'
import { OwnCapabilities } from '#web/platform/use-may.ts'
import { CountBadge } from '#web/ui/badge.tsx'
import { Bell } from '#web/ui/icons/bell.tsx'
import { BellRing } from '#web/ui/icons/bell-ring.tsx'
import { Settings2 } from '#web/ui/icons/settings-2.tsx'
import { Menu, type MenuItem } from '#web/ui/menu.tsx'
import { AgeText } from '#web/ui/ticking-text.tsx'
import { attentionTexts as texts } from './admin-attention-texts.ts'
import { AlertFollower } from './alert-follower.tsx'
import { toldItems } from './alert-news.ts'
import { type AttentionItem, attentionQuery } from './api.ts'
import { wayTo } from './attention-words.ts'

export function AttentionBell({ selfId }: { readonly selfId: string }) {
  const { data } = useQuery(attentionQuery)
  const capabilities = useContext(OwnCapabilities)
  const unread = useUnreadNotices()
  const router = useRouter()
  const goTo = (place: NavigateOptions) => () => void router.navigate(place)
  const items = data === undefined ? [] : toldItems(data, { id: selfId, capabilities })
  const count = items.reduce((sum, item) => sum + item.count, 0)
  const waiting = items.map((item): MenuItem => {
    const isAlarm = ALERT_OF[item.kind] === 'alarm'
    return {
      id: item.kind,
      icon: BellRing,
      label: <WaitingLabel item={item} />,
      ...(isAlarm && { tone: 'danger' as const }),
      onSelect: goTo(wayTo(item) ?? { to: '/admin' }),
    }
  })
  const nothing: MenuItem = { id: 'overview', label: texts.empty, icon: BellRing, onSelect: goTo({ to: '/admin' }) }
  return (
    <>
      <AlertFollower selfId={selfId} />
      <Menu
        trigger={
          <button
            type="button"
            className="relative grid size-target shrink-0 place-items-center rounded-s transition-colors hover:bg-current/10"
          >
            <span className="sr-only">{texts.bell(count, unread)}</span>
            <Bell aria-hidden size={20} strokeWidth={1.8} />
            <span aria-hidden className="absolute top-0 left-1/2 ml-0.5 origin-left scale-85">
              <CountBadge count={count + unread} label="" isRed={items.some(({ kind }) => isOverdue(kind))} />
            </span>
          </button>
        }
        groups={[
          waiting.length === 0
            ? { id: 'waiting', label: texts.bellNothing, items: [nothing] }
            : { id: 'waiting', label: texts.title, items: waiting },
          {
            id: 'own',
            items: [
              {
                id: 'notices',
                label: texts.ownNotices,
                icon: Bell,
                ...(unread > 0 && { hint: texts.ownUnread(formatCount(unread)) }),
                onSelect: goTo({ to: '/account/notifications' }),
              },
              {
                id: 'choose',
                label: texts.choose,
                icon: Settings2,
                onSelect: goTo({ to: '/admin/security' }),
              },
            ],
          },
        ]}
      />
    </>
  )
}

function WaitingLabel({ item: { kind, count, sinceMs } }: { readonly item: AttentionItem }) {
  return (
    <>
      <span>{ALERT_OF[kind] === 'alarm' ? texts.kinds[kind] : `${texts.kinds[kind]} · ${formatCount(count)}`}</span>
      {sinceMs !== null && (
        <span className="block text-xs text-ink-3">
          <span>{`${count > 1 ? texts.longest : texts.since} `}</span>
          <AgeText atMs={sinceMs} />
        </span>
      )}
    </>
  )
}
