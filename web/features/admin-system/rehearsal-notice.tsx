import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMay } from '#web/platform/use-may.ts'
import { ArrowRight } from '#web/ui/icons/arrow-right.tsx'
import { systemTexts as texts } from './admin-system-texts.ts'
import { systemQuery } from './api.ts'

/** For owners, that the last rehearsed restore failed or is overdue, for the card of what needs attention; else null. */
export function useRehearsalNotice(): ReactNode {
  const { data } = useQuery({ ...systemQuery, enabled: useMay('owner') })
  const found = data?.parts.find(({ part }) => part === 'rehearsal')
  if (found?.is !== 'wrong') return null
  return (
    <>
      <span className="min-w-0 flex-1 basis-52">
        <span className="block text-sm font-medium">{texts.rehearsalWrong}</span>
        <span className="block text-xs text-ink-3">{texts.whys[found.why as keyof typeof texts.whys]}</span>
      </span>
      <Link
        to="/admin/system"
        className="inline-flex min-h-target items-center gap-1 text-sm font-medium underline-offset-4 hover:underline md:min-h-8"
      >
        {texts.toSystem}
        <ArrowRight aria-hidden size={14} />
      </Link>
    </>
  )
}
