import { Command } from 'cmdk'
import { failureText } from '#web/platform/http.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ChevronRight } from '#web/ui/icons/chevron-right.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { finderTexts as texts } from './finder-texts.ts'
import type { Customer, Item, Shown } from './meanings.ts'

export type FinderListProps = {
  readonly shown: Shown
  readonly onChoose: (item: Item) => void
  readonly onActs: (customer: Customer) => void
}

export function FinderList({ shown: { text, groups, isSearching, failed }, onChoose, onActs }: FinderListProps) {
  const isNothing = groups.length === 0
  return (
    <>
      <Command.List
        label={texts.results}
        className={classNames(
          'scroll-py-2 overflow-y-auto overscroll-contain',
          (!isNothing || isSearching) && 'min-h-0 flex-1 p-2',
        )}
      >
        {isSearching && (
          <div aria-hidden className="flex flex-col gap-2 p-2.5">
            <Skeleton className="h-8" />
            <Skeleton className="h-8" />
            <Skeleton className="h-8" />
          </div>
        )}
        {groups.map(({ label, items }) => (
          <Command.Group
            key={label}
            heading={label}
            className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-ink-3"
          >
            {items.map((item) => (
              <Row key={item.value} item={item} onChoose={() => onChoose(item)} onActs={onActs} />
            ))}
          </Command.Group>
        ))}
      </Command.List>
      {failed !== undefined ? (
        <div role="alert" className="flex flex-1 flex-col items-center gap-3 px-6 py-10 text-center text-sm text-ink-2">
          <p>{failureText(failed.error, texts.failed)}</p>
          <Button variant="outline" size="sm" onClick={() => void failed.refetch()}>
            {commonTexts.retry}
          </Button>
        </div>
      ) : (
        !isSearching &&
        isNothing && (
          <div className="flex flex-1 flex-col gap-1 px-6 py-10 text-center text-sm">
            <p className="font-medium [overflow-wrap:anywhere] text-ink">{texts.nothing(text)}</p>
            <p className="text-ink-3">{texts.nothingHint}</p>
          </div>
        )
      )}
    </>
  )
}

type RowProps = Pick<FinderListProps, 'onActs'> & { readonly item: Item; readonly onChoose: () => void }

function Row({ item: { value, label, hint, amount, icon: Icon, customer }, onChoose, onActs }: RowProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onChoose}
      {...(customer !== undefined && { 'aria-keyshortcuts': 'ArrowRight' })}
      className="flex min-h-target cursor-default items-center gap-2.5 rounded-s px-2.5 py-1.5 text-sm text-ink select-none data-[selected=true]:bg-surface-press"
    >
      <Icon aria-hidden size={16} strokeWidth={1.8} className="shrink-0 text-ink-3" />
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2.5">
        <span className="line-clamp-2 flex-1 [overflow-wrap:anywhere]">{label}</span>
        {hint !== undefined && hint !== '' && (
          <span className="text-xs text-ink-3 max-sm:order-last max-sm:basis-full">{hint}</span>
        )}
        {amount !== undefined && <span className="shrink-0 text-xs tabular-nums">{amount}</span>}
      </span>
      {customer !== undefined && (
        // Screen readers skip this arrow. It is for pointers; keyboard users have ArrowRight and a button at the foot.
        <span
          aria-hidden
          data-acts={customer.username}
          onClick={(event) => {
            event.stopPropagation()
            onActs(customer)
          }}
          className="-my-1.5 -mr-2.5 grid size-target shrink-0 place-items-center rounded-s text-ink-3 hover:text-ink"
        >
          <ChevronRight size={16} strokeWidth={1.8} aria-hidden />
        </span>
      )}
    </Command.Item>
  )
}
