import { useSearch } from '@tanstack/react-router'
import { Checker } from '#web/features/book/checker.tsx'
import { SubScreen } from '#web/layout/sub-screen.tsx'
import { screenTitles } from '#web/platform/texts.ts'

export function VerifyScreen() {
  const { vong } = useSearch({ from: '/kiem-chung' })
  return (
    <SubScreen title={screenTitles.verify} back="/so-mo">
      <Checker key={vong} round={vong} />
    </SubScreen>
  )
}
