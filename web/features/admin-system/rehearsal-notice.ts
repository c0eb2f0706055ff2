import { useQuery } from '@tanstack/react-query'
import { useMay } from '#web/platform/use-may.ts'
import { systemTexts as texts } from './admin-system-texts.ts'
import { systemQuery } from './api.ts'

/** Returns a notice for owners if the last rehearsed restore of a backup failed or is too old; else null. */
export function useRehearsalNotice() {
  const { data } = useQuery({ ...systemQuery, enabled: useMay('owner') })
  const found = data?.parts.find(({ part }) => part === 'rehearsal')
  if (found?.is !== 'wrong') return null
  return {
    title: texts.rehearsalWrong,
    detail: texts.whys[found.why as keyof typeof texts.whys],
    to: '/admin/system',
    open: texts.toSystem,
  } as const
}
