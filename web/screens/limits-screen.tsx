import { useQuery } from '@tanstack/react-query'
import { limitsQuery } from '#web/features/limits/api.ts'
import { LimitsForm } from '#web/features/limits/limits-form.tsx'
import { TimeoutCard } from '#web/features/limits/timeout-card.tsx'
import { TodayUsage } from '#web/features/limits/today-usage.tsx'
import { SubScreen } from '#web/layout/sub-screen.tsx'
import { limitsTexts } from '#web/features/limits/limits-texts.ts'
import { screenTitles } from '#web/platform/texts.ts'
import { HelpLink } from '#web/parts/help-link.tsx'
import { Pending } from '#web/ui/pending.tsx'

export function LimitsScreen() {
  const limits = useQuery({ ...limitsQuery, refetchOnMount: 'always' })
  return (
    <SubScreen title={screenTitles.limits} back="/account">
      <p className="text-sm text-ink-2">
        {limitsTexts.lead} <HelpLink question="gioi-han">{limitsTexts.help}</HelpLink>
      </p>
      {limits.data !== undefined ? (
        <>
          <TodayUsage limits={limits.data} />
          <LimitsForm limits={limits.data} />
          <TimeoutCard limits={limits.data} />
        </>
      ) : (
        <Pending
          query={limits}
          className="flex flex-col gap-gap"
          shapes={['h-36 rounded-m!', 'h-96 rounded-m!', 'h-72 rounded-m!']}
        />
      )}
    </SubScreen>
  )
}
