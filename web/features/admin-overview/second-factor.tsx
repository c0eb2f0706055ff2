import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatCount } from '#web/platform/formats.ts'
import { ArrowRight } from '#web/ui/icons/arrow-right.tsx'
import { adminOverviewTexts as texts } from './admin-overview-texts.ts'
import { overviewQuery } from './api.ts'

/**
 * A notice that admins sign in with a password alone, for the card of what needs attention; null once every admin has a
 * second factor (rules §4.10).
 */
export function useSecondFactorNotice(): ReactNode {
  const state = useQuery(overviewQuery).data?.secondFactor
  if (state === undefined || (state.mode !== 'off' && state.adminsWithout === 0)) return null
  return (
    <>
      <span className="min-w-0 flex-1 basis-52">
        <span className="block text-sm font-medium">{texts.noSecondFactor}</span>
        <span className="block text-xs text-ink-3">
          {state.mode === 'off' ? texts.secondFactorOff : texts.adminsWithout(formatCount(state.adminsWithout))}
        </span>
      </span>
      <Link
        to="/admin/security"
        className="inline-flex min-h-target items-center gap-1 text-sm font-medium underline-offset-4 hover:underline md:min-h-8"
      >
        {texts.toSecurity}
        <ArrowRight aria-hidden size={14} />
      </Link>
    </>
  )
}
