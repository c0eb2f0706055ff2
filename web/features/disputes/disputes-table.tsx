import { useNavigate } from '@tanstack/react-router'
import { Eye, MessageSquareText, UserRound } from 'lucide-react'
import { lazy, type ReactNode, useState } from 'react'
import { DISPUTE_STATUSES } from '#domain/disputes/dispute.ts'
import { useMay } from '#web/platform/use-may.ts'
import { ChoiceBar, DayBox, SearchBox } from '#web/ui/data-table/controls.tsx'
import { DataTable } from '#web/ui/data-table/data-table.tsx'
import { MoreFilters } from '#web/ui/data-table/more-filters.tsx'
import { RowButton } from '#web/ui/data-table/row-button.tsx'
import { daysAsked, given } from '#web/ui/data-table/table-search.ts'
import { adminTableTexts } from '#web/ui/data-table/table-texts.ts'
import { adminList, useAdminList } from '#web/ui/data-table/use-admin-list.ts'
import type { MenuGroup } from '#web/ui/menu.tsx'
import { adminDisputeTexts as texts } from './admin-dispute-texts.ts'
import type { Dispute } from './api.ts'
import { disputeColumns } from './dispute-columns.tsx'
import type { DisputeAct } from './dispute-dialogs.tsx'
import { disputeTexts } from './dispute-texts.ts'
import { disputesPage } from './staff-api.ts'

const filters = { q: 'text', status: [...DISPUTE_STATUSES, 'all'], from: 'day', to: 'day' } as const
const folded = ['from', 'to'] as const

const disputes = adminList({
  id: 'khieu-nai',
  filters,
  sorts: ['openedAt'],
  firstSort: 'openedAt',
  hiddenAtFirst: ['answerText', 'answeredBy', 'answeredAt', 'correction'],
  rowId: ({ id }: Dispute) => id,
  rowName: ({ owner }) => owner.username,
  asked: ({ q, status, ...days }) => ({ ...given({ username: q, status }), ...daysAsked(days) }),
  pageQuery: disputesPage,
})

const Dialogs = lazy(() => import('./dispute-dialogs.tsx').then((module) => ({ default: module.DisputeDialogs })))

type DisputesTableProps = {
  readonly meId: string
  /** The dialog of the proposal that a correction waits for. */
  readonly proposalDialog: (proposalId: string, onClose: () => void) => ReactNode
}

/** Every dispute: those that wait first, the oldest on top (rules §9.2). */
export function DisputesTable({ meId, proposalDialog }: DisputesTableProps) {
  const navigate = useNavigate()
  const list = useAdminList(disputes)
  const [act, setAct] = useState<DisputeAct>()
  const [proposalId, setProposalId] = useState<string>()
  const mayChat = useMay('care')
  const may = [useMay('money'), mayChat].includes(true)
  const canAnswer = ({ status, owner }: Dispute) => may && status === 'open' && owner.id !== meId
  const answer = (seen: Dispute) => canAnswer(seen) && setAct({ kind: 'answer', seen })
  const see = (seen: Dispute) => setAct({ kind: 'details', seen })
  const menu = (dispute: Dispute): readonly MenuGroup[] => [
    {
      id: 'see',
      items: [
        { id: 'details', label: texts.details, icon: Eye, onSelect: () => see(dispute) },
        ...(mayChat
          ? [
              {
                id: 'chat',
                label: texts.openChat,
                icon: MessageSquareText,
                onSelect: () => void navigate({ to: '/admin/chat', search: { conversation: dispute.conversationId } }),
              },
            ]
          : []),
        {
          id: 'user',
          label: texts.openUser,
          icon: UserRound,
          onSelect: () => void navigate({ to: '/admin/user/$id', params: { id: dispute.owner.id } }),
        },
      ],
    },
  ]
  return (
    <DataTable
      label={texts.title}
      list={list}
      columns={disputeColumns}
      filters={
        <>
          <SearchBox label={adminTableTexts.search} {...list.search('q')} className="w-full md:w-44" />
          <ChoiceBar
            label={texts.statusFilter}
            {...list.choice('status')}
            choices={[
              ...DISPUTE_STATUSES.map((value) => ({ value, label: texts[value] })),
              { value: 'all', label: texts.all },
            ]}
          />
          <MoreFilters {...list.fold(folded)}>
            <DayBox label={adminTableTexts.fromDay} {...list.search('from')} />
            <DayBox label={adminTableTexts.toDay} {...list.search('to')} />
          </MoreFilters>
        </>
      }
      acts={(dispute) =>
        canAnswer(dispute) && (
          <>
            {dispute.proposal != null && (
              <RowButton onClick={() => setProposalId(dispute.proposal?.id)}>{texts.seeProposal}</RowButton>
            )}
            <RowButton onClick={() => answer(dispute)}>{disputeTexts.answer}</RowButton>
          </>
        )
      }
      menu={menu}
      onOpen={{ label: texts.details, run: see }}
      shortcuts={may ? [{ key: 'a', label: disputeTexts.answer, run: answer }] : []}
      dialog={
        proposalId !== undefined
          ? proposalDialog(proposalId, () => setProposalId(undefined))
          : act && (
              <Dialogs
                act={act}
                rows={list.held.rows ?? []}
                meId={meId}
                onAct={setAct}
                onClose={() => setAct(undefined)}
              />
            )
      }
    />
  )
}
