import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { failureText } from '#web/platform/http.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { Button } from './button.tsx'
import { passesFocus } from './pass-focus.ts'
import { useAct } from './use-act.ts'

type InfiniteQuery = Pick<
  UseInfiniteQueryResult<InfiniteData<unknown>>,
  'data' | 'error' | 'hasNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
>

export type MoreRowsProps = { readonly query: InfiniteQuery; readonly label: string }

/** When the last page arrives, the button disappears, and the focus moves from the button to the end of the list. */
const onToEnd = passesFocus((button) => button.parentElement)

/** Refetches may be so frequent that each of them ends the fetch of the next page. */
const mostTries = 5

/**
 * Fetches the next page, once. A refetch that is under way goes on, because its pages would otherwise stay old; then
 * `fetchNextPage` only waits for it. One that begins meanwhile ends the fetch of the next page. Both are asked again.
 */
async function fetchOn({ data, fetchNextPage }: InfiniteQuery, signal: AbortSignal): Promise<void> {
  for (let tries = 0; tries < mostTries && !signal.aborted; tries += 1) {
    const now = await fetchNextPage({ cancelRefetch: false })
    if (now.isFetchNextPageError || !now.hasNextPage || now.data?.pages.length !== data?.pages.length) return
  }
}

/** Where the list changes by a filter, each filter has a `key` of its own: a press must not fetch another list on. */
export function MoreRows({ query, label }: MoreRowsProps) {
  const { start, isBusy } = useAct({
    failText: commonTexts.somethingWrong,
    run: (_, signal) => fetchOn(query, signal),
  })
  return (
    <div tabIndex={-1} className={query.hasNextPage ? 'border-t border-line p-3 print:hidden' : undefined}>
      {query.isFetchNextPageError && (
        <p role="alert" className="pb-2 text-center text-sm text-down">
          {failureText(query.error, commonTexts.somethingWrong)}
        </p>
      )}
      {query.hasNextPage && (
        <Button ref={onToEnd} variant="outline" isWide isBusy={isBusy} onClick={() => start()}>
          {label}
        </Button>
      )}
    </div>
  )
}
