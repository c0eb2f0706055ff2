import type { ReactNode } from 'react'
import type { DossierOf } from '#web/features/proposals/proposal-dialogs.tsx'
import { lazyComponent } from '#web/ui/lazy-component.ts'

const ProposalOf = lazyComponent(() => import('#web/features/proposals/proposal-dialogs.tsx'), 'ProposalOf')

const Dossier = lazyComponent(() => import('#web/features/admin-requests/dossier.tsx'), 'Dossier')

export const dossierOf: DossierOf = (about) => <Dossier {...about} />

export const proposalDialogOf =
  (meId: string) => (id: string, onClose: () => void, onDone?: () => void, aside?: ReactNode) => (
    <ProposalOf id={id} meId={meId} dossier={dossierOf} aside={aside} onClose={onClose} onDone={onDone} />
  )
