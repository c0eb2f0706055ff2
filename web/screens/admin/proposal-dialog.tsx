import { lazy } from 'react'
import type { DossierOf } from '#web/features/proposals/proposal-dialogs.tsx'

const ProposalOf = lazy(() =>
  import('#web/features/proposals/proposal-dialogs.tsx').then((module) => ({ default: module.ProposalOf })),
)

const Dossier = lazy(() =>
  import('#web/features/admin-requests/dossier.tsx').then((module) => ({ default: module.Dossier })),
)

/** The facts to look up about the request of a proposal; their code is fetched on first use. */
export const dossierOf: DossierOf = (about) => <Dossier {...about} />

/** Draws the dialog of the proposal that a request or a dispute waits for; its code is fetched on first use. */
export const proposalDialogOf = (meId: string) => (id: string, onClose: () => void, onDone?: () => void) => (
  <ProposalOf id={id} meId={meId} dossier={dossierOf} onClose={onClose} onDone={onDone} />
)
