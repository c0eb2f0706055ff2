/**
 * Four eyes: what one admin proposes to move and another one confirms (rules §3.10). Owns money_proposals; emits
 * proposal_changed through the hints passed to it. Who moves points asks `proposeInstead` first, and gives `Execute`
 * for the confirmation, so that money moves by one way.
 */
export { overtakeProposal } from './end-open.ts'
export { startExpiringProposals } from './expire.ts'
export { foretellSecondPerson } from './foretell.ts'
export { type OpenProposalColumns, openProposalOf } from './rows.ts'
export type { Execute, FourEyes, ProposalHints } from './ports.ts'
export { proposeInstead } from './propose.ts'
export { registerFourEyes } from './routes.ts'
