import { proposalEndpoints } from '#contract/proposals.ts'
import { refuse } from '#server/platform/http/errors.ts'
import type { Api } from '#server/platform/http/http.ts'
import { answerList } from '#server/platform/http/lists.ts'
import { confirmProposal, type ConfirmDeps } from './confirm.ts'
import { endProposal } from './end-proposal.ts'
import { listProposals, PROPOSALS } from './queries.ts'
import { readDaySums } from './sum.ts'

export function registerFourEyes(api: Api, deps: ConfirmDeps): void {
  const { db, fourEyes } = deps

  api.handle(proposalEndpoints.listProposals, ({ query }) => answerList(db, PROPOSALS, query, listProposals))

  api.handle(proposalEndpoints.readDaySum, async ({ subject, query }) => {
    const { rowCount } = await db.query('select 1 from users where id = $1', [query.userId])
    if (rowCount === 0) return refuse('NOT_FOUND')
    return { ...(await readDaySums(db, query.userId, subject.userId)), fromMinor: fourEyes.fromMinor }
  })

  api.handle(proposalEndpoints.confirmProposal, ({ subject, params }) => confirmProposal(deps, subject, params.id))

  api.handle(proposalEndpoints.endProposal, ({ subject, params, body }) =>
    endProposal(deps, subject, params.id, body.reason ?? ''),
  )
}
