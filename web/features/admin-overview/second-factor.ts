import { useQuery } from '@tanstack/react-query'
import { formatCount } from '#web/platform/formats.ts'
import { adminOverviewTexts as texts } from './admin-overview-texts.ts'
import { overviewQuery } from './api.ts'

/** Returns a notice for `AttentionCard` if second factors are off or an admin has none (rules §4.10), else null. */
export function useSecondFactorNotice() {
  const state = useQuery(overviewQuery).data?.secondFactor
  if (state === undefined || (state.mode !== 'off' && state.adminsWithout === 0)) return null
  return {
    title: texts.noSecondFactor,
    detail: state.mode === 'off' ? texts.secondFactorOff : texts.adminsWithout(formatCount(state.adminsWithout)),
    to: '/admin/security',
    open: texts.toSecurity,
  } as const
}
