import { useNavigate, useSearch } from '@tanstack/react-router'
import { dayOf } from '#domain/day.ts'
import { BetDispute } from '#web/features/disputes/bet-dispute.tsx'
import { BetAudit } from '#web/features/game/bet-audit.tsx'
import { OwnBets } from '#web/features/game/own-bets.tsx'
import { useConnection, useMe } from '#web/features/identity/use-me.ts'
import { BetSeal } from '#web/features/seal/bet-seal.tsx'
import { BackLink } from '#web/layout/back-link.tsx'
import { Screen } from '#web/layout/screen.tsx'
import { useCloseStep } from '#web/layout/use-close-step.ts'
import { screenTitles } from '#web/platform/texts.ts'
import { PlayMoneyLine } from '#web/parts/play-money-line.tsx'

export function BetsScreen() {
  const me = useMe()
  useConnection(me)
  const navigate = useNavigate()
  const { bet } = useSearch({ from: '/guarded/shell/account/bets' })
  const close = useCloseStep(() => void navigate({ to: '/account/bets', replace: true, resetScroll: false }))
  return (
    <Screen title={screenTitles.bets} before={<BackLink fallback="/account" />}>
      <OwnBets firstDay={dayOf(me.createdAtMs)} />
      <PlayMoneyLine />
      <BetAudit
        betId={bet}
        onClose={close}
        seal={(shown) => <BetSeal userId={me.id} bet={shown} as="review" />}
        dispute={(shown) => <BetDispute bet={shown} />}
      />
    </Screen>
  )
}
