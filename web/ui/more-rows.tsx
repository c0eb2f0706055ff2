import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { failureText } from '#web/platform/http.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { Button } from './button.tsx'
import { passesFocus } from './pass-focus.ts'

export type MoreRowsProps = {
  readonly query: Pick<
    UseInfiniteQueryResult,
    'error' | 'hasNextPage' | 'isFetchNextPageError' | 'isFetchingNextPage' | 'fetchNextPage'
  >
  readonly label: string
  /** If given, `isBusy` and `onPress` replace the query's own state and its `fetchNextPage`. */
  readonly isBusy?: boolean
  readonly onPress?: () => unknown
}

/** When the last page arrives, the button disappears, and the focus moves from the button to the end of the list. */
const onToEnd = passesFocus((button) => button.parentElement)

export function MoreRows({ query, label, isBusy = query.isFetchingNextPage, onPress }: MoreRowsProps) {
  return (
    <div tabIndex={-1} className={query.hasNextPage ? 'border-t border-line p-3' : undefined}>
      {query.isFetchNextPageError && (
        <p role="alert" className="pb-2 text-center text-sm text-down">
          {failureText(query.error, commonTexts.somethingWrong)}
        </p>
      )}
      {query.hasNextPage && (
        <Button
          ref={onToEnd}
          variant="outline"
          isWide
          isBusy={isBusy}
          onClick={() => void (onPress ?? query.fetchNextPage)()}
        >
          {label}
        </Button>
      )}
    </div>
  )
}
