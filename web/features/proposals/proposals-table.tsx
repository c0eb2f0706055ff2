import { useState } from 'react'
import { proposalList } from '#contract/proposals.ts'
import { PROPOSAL_STATUSES } from '#domain/four-eyes/proposal.ts'
import { useMay } from '#web/platform/use-may.ts'
import { DataTable } from '#web/lists/data-table.tsx'
import { ListFilters, picker, wordsOf } from '#web/lists/list-filters.tsx'
import { RowButton } from '#web/lists/row-button.tsx'
import { declared } from '#web/lists/table-search.ts'
import { adminList, useAdminList } from '#web/lists/use-admin-list.ts'
import { useOpenUser } from '#web/lists/use-open-user.ts'
import { lazyComponent } from '#web/ui/lazy-component.ts'
import { type Proposal, proposalsPage } from './api.ts'
import { proposalColumns } from './proposal-columns.tsx'
import type { ProposalAct, ProposalDialogsProps } from './proposal-dialogs.tsx'
import { proposalTexts as texts } from './proposal-texts.ts'

const proposals = adminList({
  id: 'de-nghi',
  ...declared(proposalList, { first: { status: 'open' } }),
  firstSort: 'createdAt',
  hiddenAtFirst: ['balance', 'expiresAt', 'endedBy', 'endedAt', 'endReason'],
  rowId: ({ id }: Proposal) => id,
  rowName: ({ owner }) => owner.username,
  besideRem: 20.125,
  pageQuery: proposalsPage,
})

const controls = {
  status: picker(
    texts.status,
    wordsOf([...PROPOSAL_STATUSES, 'all'], (value) => texts[value]),
  ),
}

const Dialogs = lazyComponent(() => import('./proposal-dialogs.tsx'), 'ProposalDialogs')

/** The list of proposals, the oldest on top. At first only the open proposals are shown (rules §3.10). */
export function ProposalsTable({ meId, dossier }: Pick<ProposalDialogsProps, 'meId' | 'dossier'>) {
  const openUser = useOpenUser()
  const list = useAdminList(proposals)
  const [act, setAct] = useState<ProposalAct>()
  const isOwn = ({ proposedBy }: Proposal) => proposedBy.id === meId
  const may = useMay('money')
  const canAct = ({ status, owner }: Proposal) => may && status === 'open' && owner.id !== meId
  const confirm = (seen: Proposal) => canAct(seen) && !isOwn(seen) && setAct({ kind: 'confirm', seen })
  const end = (seen: Proposal) => canAct(seen) && setAct({ kind: 'end', seen })
  const rows = list.held.rows ?? []
  /** Opens the dialog of the next row that this admin may confirm. After the last row, the first row is next. */
  const offerNext = ({ seen }: ProposalAct) => {
    const from = rows.findIndex(({ id }) => id === seen.id)
    const others = [...rows.slice(from + 1), ...rows.slice(0, Math.max(0, from))]
    const next = others.find((one) => canAct(one) && !isOwn(one))
    setAct(next === undefined ? undefined : { kind: 'confirm', seen: next })
  }
  return (
    <DataTable
      label={texts.title}
      list={list}
      columns={proposalColumns}
      filters={<ListFilters list={list} shown={controls} />}
      acts={(proposal) =>
        canAct(proposal) && (
          <>
            <RowButton onClick={() => end(proposal)}>{isOwn(proposal) ? texts.withdraw : texts.refuse}</RowButton>
            {!isOwn(proposal) && (
              <RowButton variant="up" onClick={() => confirm(proposal)}>
                {texts.confirm}
              </RowButton>
            )}
          </>
        )
      }
      menu={({ owner }) => [{ id: 'see', items: [openUser(owner.id)] }]}
      onOpen={{ label: texts.confirm, run: (seen) => (isOwn(seen) ? end(seen) : confirm(seen)) }}
      shortcuts={[
        { key: 'a', label: texts.confirm, run: confirm },
        { key: 'r', label: texts.refuse, run: end },
      ]}
      dialog={
        act && (
          <Dialogs
            act={act}
            meId={meId}
            dossier={dossier}
            onClose={() => setAct(undefined)}
            onDone={() => offerNext(act)}
          />
        )
      }
    />
  )
}
