import type { RowData } from '@tanstack/react-table'
import { createContext, Fragment, type ReactNode, useContext, useId, useState } from 'react'
import { formatCount } from '#web/platform/formats.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ChevronDown } from '#web/ui/icons/chevron-down.tsx'
import { SlidersHorizontal } from '#web/ui/icons/sliders-horizontal.tsx'
import { ChoiceBar, DayBox, Picker, SearchBox } from './controls.tsx'
import type { FilterSpec, FilterSpecs } from './table-search.ts'
import { adminTableTexts as texts } from './table-texts.ts'
import type { AdminList } from './use-admin-list.ts'

type Typed = { readonly text: string; readonly onChange: (text: string) => void }
type Chosen<Value> = { readonly value: Value; readonly onChange: (value: Value) => void }

export type FilterControl<Spec extends FilterSpec = FilterSpec> =
  Spec extends ReadonlyArray<infer Value> ? (bound: Chosen<Value>) => ReactNode : (bound: Typed) => ReactNode

export type FilterControls<Filters extends FilterSpecs> = {
  readonly [Name in keyof Filters]?: FilterControl<Filters[Name]> | undefined
}

export const searchBox = (label: string, className: string) => (bound: Typed) => (
  <SearchBox label={label} {...bound} className={className} />
)

const dayBox = (label: string) => (bound: Typed) => <DayBox label={label} {...bound} />
export const dayBoxes = { from: dayBox(texts.fromDay), to: dayBox(texts.toDay) } as const

export type ChoiceWords<Value extends string> = Readonly<Record<Value, string>>

export const wordsOf = <const Value extends string>(values: readonly Value[], word: (value: Value) => string) =>
  Object.fromEntries(values.map((value) => [value, word(value)])) as ChoiceWords<Value>

const choicesOf = <Value extends string>(words: ChoiceWords<Value>) =>
  (Object.entries(words) as Array<[Value, string]>).map(([value, label]) => ({ value, label }))

export const choiceBar =
  <Value extends string>(label: string, words: ChoiceWords<Value>) =>
  (bound: Chosen<Value>) => <ChoiceBar label={label} {...bound} choices={choicesOf(words)} />

export const picker =
  <Value extends string>(label: string, words: ChoiceWords<Value>, className = 'max-md:min-w-32 max-md:flex-1') =>
  (bound: Chosen<Value>) => <Picker label={label} {...bound} choices={choicesOf(words)} className={className} />

export const foldedPicker = <Value extends string>(label: string, words: ChoiceWords<Value>) =>
  picker(label, words, 'max-md:w-full')

export type ListFiltersProps<Row extends RowData, Filters extends FilterSpecs> = {
  readonly list: AdminList<Row, Filters>
  readonly shown?: FilterControls<Filters>
  readonly folded?: FilterControls<Filters>
}

export const AreFiltersUnfolded = createContext(false)

export function ListFilters<Row extends RowData, Filters extends FilterSpecs>({
  list,
  shown = {},
  folded,
}: ListFiltersProps<Row, Filters>) {
  const { filters } = list.address.spec
  const isUnfolded = useContext(AreFiltersUnfolded)
  const draw = (controls: FilterControls<Filters>) =>
    (Object.keys(controls) as Array<keyof Filters & string>).map((name) => {
      const control = controls[name] as ((bound: unknown) => ReactNode) | undefined
      const isTyped = typeof filters[name] === 'string'
      return <Fragment key={name}>{control?.(isTyped ? list.search(name) : list.choice(name))}</Fragment>
    })
  return (
    <>
      {draw(shown)}
      {folded !== undefined &&
        (isUnfolded ? draw(folded) : <MoreFilters {...list.fold(Object.keys(folded))}>{draw(folded)}</MoreFilters>)}
    </>
  )
}

type MoreFiltersProps = {
  readonly setCount: number
  readonly onClear: () => void
  readonly children: ReactNode
}

function MoreFilters({ setCount, onClear, children }: MoreFiltersProps) {
  const id = useId()
  const [isOpen, setIsOpen] = useState(setCount > 0)
  return (
    <>
      <Button
        variant="outline"
        size="sm"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
        className="border-control px-2.5! text-dense! font-medium!"
      >
        <SlidersHorizontal aria-hidden size={16} strokeWidth={1.8} />
        {setCount === 0 ? texts.moreFilters : texts.moreFiltersSet(formatCount(setCount))}
        <ChevronDown aria-hidden size={16} className={classNames('text-ink-3', isOpen && 'rotate-180')} />
      </Button>
      <div
        id={id}
        role="group"
        aria-label={texts.moreFilters}
        hidden={!isOpen}
        className="order-last flex basis-full flex-wrap items-center gap-2 [&[hidden]]:hidden"
      >
        {isOpen && children}
        {isOpen && setCount > 0 && (
          <Button variant="ghost" size="sm" onClick={onClear} className="text-dense!">
            {texts.clearMoreFilters}
          </Button>
        )}
      </div>
    </>
  )
}
