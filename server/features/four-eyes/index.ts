/**
 * Four eyes: one admin proposes to move points and another one confirms (rules §3.10). Owns money_proposals; emits
 * proposal_changed through `ProposalHints`. Features that move points call `proposeInstead` first. They also provide an
 * `Execute`, which moves the points by the same code once the proposal is confirmed.
 */
export { overtakeProposal } from './end-proposal.ts'
export { startExpiringProposals } from './expire.ts'
export { foretellSecondPerson } from './sum.ts'
export { type OpenProposalColumns, openProposalOf } from './rows.ts'
export type { Execute, FourEyes, ProposalHints } from './ports.ts'
export { proposeInstead } from './propose.ts'
export { registerFourEyes } from './routes.ts'
