import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { NOTICE_KINDS, type NoticeKind, UNREAD_COUNTED_TO } from '#contract/notices.ts'
import { formatCount } from '#web/platform/formats.ts'
import { refresh } from '#web/platform/query-client.ts'
import { useAct } from '#web/ui/use-act.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { MoreRows } from '#web/ui/more-rows.tsx'
import { Select } from '#web/ui/select.tsx'
import { Pending } from '#web/ui/pending.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { CheckCheck } from '#web/ui/icons/check-check.tsx'
import { markRead, noticesKey, noticesQuery } from './api.ts'
import { NoticeList } from './notice-list.tsx'
import { noticeTexts } from './notices-texts.ts'

const all = 'all'
const loadingShapes = Array.from({ length: 6 }, () => 'h-10')
/** The kinds that staff can filter by. The others are about play and points, and staff do not play (rules §1.2). */
const staffKinds: readonly NoticeKind[] = ['care', 'device', 'factor']

export function Notices({ isStaff }: { readonly isStaff: boolean }) {
  const [kind, setKind] = useState<NoticeKind | null>(null)
  const query = useInfiniteQuery(noticesQuery(kind))
  const first = query.data?.pages[0]
  const notices = query.data?.pages.flatMap((page) => page.notices) ?? []
  const kinds = isStaff ? staffKinds : NOTICE_KINDS
  const { start, isBusy } = useAct({
    run: markRead,
    failText: commonTexts.somethingWrong,
    isToasted: true,
    // The notices may be marked although the answer was lost (rules §3.5).
    onFailure: () => {
      void refresh(noticesKey)
      return false
    },
  })
  return (
    <Card isPadded={false} className="overflow-hidden">
      <div className="flex flex-wrap items-end gap-2 p-4">
        <Select
          className="min-w-40 flex-1"
          label={noticeTexts.filter}
          value={kind ?? all}
          onChange={(event) => setKind(kinds.find((one) => one === event.target.value) ?? null)}
          options={[
            { value: all, label: noticeTexts.filterAll },
            ...kinds.map((one) => ({ value: one, label: noticeTexts.kinds[one] })),
          ]}
        />
        <Button
          variant="outline"
          isBusy={isBusy}
          isOff={first === undefined || first.unread === 0}
          onClick={() => first !== undefined && start(first.completeToMs)}
        >
          <CheckCheck aria-hidden size={18} strokeWidth={1.8} />
          {noticeTexts.markRead}
        </Button>
        {first !== undefined && (
          <p role="status" className="w-full text-xs text-ink-3 tabular-nums">
            {unreadText(first.unread)}
          </p>
        )}
      </div>
      {first === undefined ? (
        <Pending query={query} className="flex flex-col gap-4 px-4 pb-4" shapes={loadingShapes} />
      ) : notices.length === 0 ? (
        <EmptyState text={kind === null ? noticeTexts.empty : noticeTexts.emptyFiltered} />
      ) : (
        <NoticeList notices={notices} isStaff={isStaff} />
      )}
      <MoreRows key={kind} query={query} label={noticeTexts.more} />
    </Card>
  )
}

const unreadText = (unread: number): string =>
  unread === 0
    ? noticeTexts.allRead
    : unread < UNREAD_COUNTED_TO
      ? noticeTexts.unreadCount(formatCount(unread))
      : noticeTexts.unreadMany
