import { useNavigate, useSearch } from '@tanstack/react-router'
import { dayOf } from '#domain/day.ts'
import { BetDispute } from '#web/features/disputes/bet-dispute.tsx'
import { BetAudit } from '#web/features/game/bet-audit.tsx'
import { OwnBets } from '#web/features/game/own-bets.tsx'
import { useConnection, useMe } from '#web/features/identity/use-me.ts'
import { BetSeal } from '#web/features/seal/bet-seal.tsx'
import { SubScreen } from '#web/layout/sub-screen.tsx'
import { useCloseStep } from '#web/layout/use-close-step.ts'
import { screenTitles } from '#web/platform/texts.ts'

export function BetsScreen() {
  const me = useMe()
  useConnection(me)
  const navigate = useNavigate()
  const { bet } = useSearch({ from: '/guarded/shell/account/bets' })
  const close = useCloseStep(() => void navigate({ to: '/account/bets', replace: true, resetScroll: false }))
  return (
    <SubScreen title={screenTitles.bets} back="/account">
      <OwnBets firstDay={dayOf(me.createdAtMs)} />
      <BetAudit
        betId={bet}
        onClose={close}
        seal={(shown) => <BetSeal userId={me.id} bet={shown} as="review" />}
        dispute={(shown) => <BetDispute bet={shown} />}
      />
    </SubScreen>
  )
}
