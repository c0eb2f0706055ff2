import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ActsOn } from '#web/features/admin-audit/acts-on.tsx'
import { entrySecondsQuery } from '#web/features/admin-bets/api.ts'
import { BetsOfRound } from '#web/features/admin-bets/bets-of-round.tsx'
import { adminRoundTexts as texts } from '#web/features/admin-rounds/admin-round-texts.ts'
import { RoundPage } from '#web/features/admin-rounds/round-page.tsx'
import { EndedRound } from '#web/features/market/ended-round.tsx'
import { AdminPage } from '#web/layout/admin-page.tsx'
import { PlayMoneyLine } from '#web/parts/play-money-line.tsx'

export function AdminRoundScreen() {
  const { id } = useParams({ from: '/guarded/admin/round/$id' })
  const { data: entrySeconds = [] } = useQuery(entrySecondsQuery(id))
  return (
    <AdminPage title={texts.round}>
      <RoundPage
        key={id}
        roundId={id}
        picture={(ticks, isOver) => <EndedRound ticks={ticks} entrySeconds={entrySeconds} isOver={isOver} />}
      >
        <ActsOn target={`round:${id}`} title={texts.acts} />
        <h2 className="text-base font-semibold">{texts.betsOfRound}</h2>
        <BetsOfRound roundId={id} label={texts.betsOfRound} />
      </RoundPage>
      <PlayMoneyLine />
    </AdminPage>
  )
}
