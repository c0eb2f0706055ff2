import { dayOf } from '#domain/day.ts'
import { useConnection, useMe } from '#web/features/identity/use-me.ts'
import { Statistics } from '#web/features/statistics/statistics.tsx'
import { SubScreen } from '#web/layout/sub-screen.tsx'
import { screenTitles } from '#web/platform/texts.ts'

export function StatisticsScreen() {
  const me = useMe()
  useConnection(me)
  return (
    <SubScreen title={screenTitles.statistics} back="/account">
      <Statistics firstDay={dayOf(me.createdAtMs)} />
    </SubScreen>
  )
}
