import { formatCount } from '#web/platform/formats.ts'
import { failureText } from '#web/platform/http.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { type FilterSpecs, isFiltered } from './table-search.ts'
import { adminTableTexts as texts } from './table-texts.ts'
import type { ListState } from './use-admin-list.ts'
import type { Held } from './held-rows.ts'
import type { TableAddress } from './use-table-search.ts'

export type ArrivalsProps = {
  readonly held: Pick<Held<unknown>, 'arrived' | 'isMoved' | 'show'>
  readonly text: ((count: string) => string) | undefined
  /** Shown while no rows are held back, in the place of the button that shows the held rows. */
  readonly quietText: string | undefined
}

export function Arrivals({ held: { arrived, isMoved, show }, text, quietText }: ArrivalsProps) {
  return (
    <div role="status">
      {quietText !== undefined && arrived === 0 && !isMoved && (
        <p className="bg-surface-2 px-3 py-2 text-center text-dense text-ink-3 max-md:mb-2 max-md:grid max-md:min-h-target max-md:place-items-center max-md:rounded-s">
          {quietText}
        </p>
      )}
      {(arrived > 0 || isMoved) && (
        <button
          type="button"
          onClick={show}
          className="w-full bg-info-soft px-3 py-2 text-center text-dense font-medium text-info hover:underline max-md:mb-2 max-md:min-h-target max-md:rounded-s"
        >
          {arrived > 0 && text !== undefined ? text(formatCount(arrived)) : texts.changed}
        </button>
      )}
    </div>
  )
}

export function LastFailure({ state }: { readonly state: ListState }) {
  if (state.error === null) return null
  return (
    <div role="alert" className="flex items-center justify-center gap-3 bg-down-soft px-3 py-1.5 text-dense text-down">
      {failureText(state.error, texts.loadFailed)}
      <Button variant="outline" size="xs" isBusy={state.isRetrying} onClick={state.retry}>
        {commonTexts.retry}
      </Button>
    </div>
  )
}

export function EmptyList<Filters extends FilterSpecs>({ address }: { readonly address: TableAddress<Filters> }) {
  return (
    <EmptyState
      text={texts.noResults}
      action={
        isFiltered(address.view, address.spec) ? (
          <Button variant="outline" size="sm" onClick={() => address.goTo({})}>
            {texts.clearFilters}
          </Button>
        ) : undefined
      }
    />
  )
}
