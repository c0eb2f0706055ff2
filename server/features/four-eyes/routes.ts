import { proposalEndpoints } from '#contract/proposals.ts'
import type { LedgerGuard } from '#server/features/wallet/index.ts'
import { refuse } from '#server/platform/errors.ts'
import type { Api } from '#server/platform/http.ts'
import { COUNT_CAP, listAnswer, pageOf, sortOf } from '#server/platform/lists.ts'
import { confirmProposal, type ConfirmDeps } from './confirm.ts'
import { endProposal } from './end-proposal.ts'
import { countProposals, listProposals, PROPOSAL_SORTS, type ProposalSort } from './queries.ts'
import { readDaySum } from './sum.ts'

/** The routes of proposals (rules §3.10). */
export function registerFourEyes(api: Api, deps: ConfirmDeps & { readonly ledger: Pick<LedgerGuard, 'isOpen'> }): void {
  const { db, fourEyes, ledger } = deps

  api.handle(proposalEndpoints.listProposals, async ({ query }) => {
    const page = pageOf(query)
    const sort = sortOf(query.sort, Object.keys(PROPOSAL_SORTS) as ProposalSort[], '-createdAt')
    const filter = { status: query.status ?? null, ownerId: query.userId ?? null, ids: query.ids ?? null }
    const [rows, counted] = await Promise.all([
      listProposals(db, filter, sort, page),
      countProposals(db, filter, COUNT_CAP),
    ])
    return listAnswer(rows, counted, page)
  })

  api.handle(proposalEndpoints.readDaySum, async ({ query }) => {
    const { rowCount } = await db.query('select 1 from users where id = $1', [query.userId])
    if (rowCount === 0) return refuse('NOT_FOUND')
    return { movedMinor: await readDaySum(db, query.userId), fromMinor: fourEyes.fromMinor }
  })

  api.handle(proposalEndpoints.confirmProposal, ({ subject, params }) =>
    ledger.isOpen() ? confirmProposal(deps, subject, params.id) : refuse('LEDGER_CHECK_FAILED'),
  )

  api.handle(proposalEndpoints.endProposal, ({ subject, params, body }) =>
    endProposal(deps, subject, params.id, body.reason ?? ''),
  )
}
