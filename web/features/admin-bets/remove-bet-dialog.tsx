import { adminBetTexts as texts } from './admin-bet-texts.ts'
import { formatWholeAmount } from '#web/platform/formats.ts'
import { useAdminRefresh } from '#web/lists/use-admin-refresh.ts'
import { ActDialog } from '#web/ui/act-dialog.tsx'
import { type Bet, deleteBet } from './api.ts'
import { statusWords } from './bet-columns.tsx'

export type RemoveBetDialogProps = {
  readonly bet: Bet
  readonly onRemoved: () => void
  readonly onClose: () => void
}

/** Hides a settled bet from staff's lists; the player's history and the ledger keep the bet (rules §1.3). */
export function RemoveBetDialog({ bet, onRemoved, onClose }: RemoveBetDialogProps) {
  const refresh = useAdminRefresh('bets', 'audit')
  return (
    <ActDialog
      title={texts.removeTitle}
      description={texts.removeText(
        bet.owner.username,
        formatWholeAmount(bet.stakeMinor),
        statusWords[bet.status].label,
      )}
      confirmLabel={texts.remove}
      tone="danger"
      run={async () => {
        await deleteBet(bet.id).finally(refresh)
        onRemoved()
      }}
      doneText={texts.removed}
      failText={texts.removeFailed}
      onClose={onClose}
    />
  )
}
