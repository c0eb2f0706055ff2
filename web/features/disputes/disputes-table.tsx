import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { disputeList } from '#contract/disputes.ts'
import { DISPUTE_STATUSES } from '#domain/disputes/dispute.ts'
import { useMay } from '#web/platform/use-may.ts'
import { DataTable } from '#web/lists/data-table.tsx'
import { choiceBar, dayBoxes, ListFilters, searchBox, wordsOf } from '#web/lists/list-filters.tsx'
import { RowButton } from '#web/lists/row-button.tsx'
import { declared } from '#web/lists/table-search.ts'
import { adminTableTexts } from '#web/lists/table-texts.ts'
import { adminList, useAdminList } from '#web/lists/use-admin-list.ts'
import { useOpenUser } from '#web/lists/use-open-user.ts'
import { Eye } from '#web/ui/icons/eye.tsx'
import { MessageSquareText } from '#web/ui/icons/message-square-text.tsx'
import type { MenuGroup } from '#web/ui/menu.tsx'
import { lazyComponent } from '#web/ui/lazy-component.ts'
import { adminDisputeTexts as texts } from './admin-dispute-texts.ts'
import type { Dispute } from './api.ts'
import { disputeColumns } from './dispute-columns.tsx'
import type { DisputeAct } from './dispute-dialogs.tsx'
import { disputeTexts } from './dispute-texts.ts'
import { disputesPage } from './staff-api.ts'

const disputes = adminList({
  id: 'khieu-nai',
  ...declared(disputeList, { first: { status: 'open' } }),
  hiddenAtFirst: ['answerText', 'answeredBy', 'answeredAt', 'correction'],
  rowId: ({ id }: Dispute) => id,
  rowName: ({ owner }) => owner.username,
  besideRem: 20.125,
  pageQuery: disputesPage,
})

const controls = {
  q: searchBox(adminTableTexts.search, 'w-full md:w-44'),
  status: choiceBar(
    texts.status,
    wordsOf([...DISPUTE_STATUSES, 'all'], (value) => texts[value]),
  ),
}

const Dialogs = lazyComponent(() => import('./dispute-dialogs.tsx'), 'DisputeDialogs')

type DisputesTableProps = {
  readonly meId: string
  /** Draws the dialog of a proposal: a correction that waits for a second person. */
  readonly proposalDialog: (proposalId: string, onClose: () => void) => ReactNode
}

/** The list of disputes, the oldest on top. At first only the open disputes are shown (rules §9.2). */
export function DisputesTable({ meId, proposalDialog }: DisputesTableProps) {
  const navigate = useNavigate()
  const openUser = useOpenUser()
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
        openUser(dispute.owner.id),
      ],
    },
  ]
  return (
    <DataTable
      label={texts.title}
      list={list}
      columns={disputeColumns}
      filters={<ListFilters list={list} shown={controls} folded={dayBoxes} />}
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
