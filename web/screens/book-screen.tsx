import { QueryClientProvider } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { NewestNote } from '#web/features/book/newest-note.tsx'
import { Notes } from '#web/features/book/notes.tsx'
import { readNotesSearch, writeNotesSearch } from '#web/features/book/notes-search.ts'
import { CheckLast, ToChecker } from '#web/features/book/check-last.tsx'
import { Limits, Reasons, WithoutUs } from '#web/features/book/open-book.tsx'
import { MeasuredRates } from '#web/features/book/rates.tsx'
import { SubScreen } from '#web/layout/sub-screen.tsx'
import { queryClient } from '#web/platform/query-client.ts'
import { screenTitles } from '#web/platform/texts.ts'
import { usePrint } from '#web/ui/use-print.ts'

export function BookScreen() {
  const search = useSearch({ from: '/so-mo' })
  const navigate = useNavigate({ from: '/so-mo' })
  const content = useRef<HTMLDivElement>(null)
  usePrint(content)
  return (
    <QueryClientProvider client={queryClient}>
      <SubScreen title={screenTitles.book} back="/">
        <div ref={content} className="flex flex-col gap-gap">
          <CheckLast />
          <Reasons />
          <Notes
            filter={readNotesSearch(search)}
            onChange={(filter) =>
              void navigate({ search: writeNotesSearch(filter), replace: true, resetScroll: false })
            }
          />
          <MeasuredRates />
          <NewestNote />
          <WithoutUs />
          <Limits />
          <ToChecker />
        </div>
      </SubScreen>
    </QueryClientProvider>
  )
}
