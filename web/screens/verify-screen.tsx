import { useSearch } from '@tanstack/react-router'
import { Checker } from '#web/features/book/checker.tsx'
import { BackLink } from '#web/layout/back-link.tsx'
import { Screen } from '#web/layout/screen.tsx'
import { screenTitles } from '#web/platform/texts.ts'
import { PlayMoneyLine } from '#web/parts/play-money-line.tsx'

export function VerifyScreen() {
  const { vong } = useSearch({ from: '/kiem-chung' })
  return (
    <Screen title={screenTitles.verify} before={<BackLink fallback="/so-mo" />}>
      <Checker key={vong} round={vong} />
      <PlayMoneyLine />
    </Screen>
  )
}
