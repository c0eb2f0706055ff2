import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'

export type Tab<Value extends string> = {
  readonly value: Value
  readonly label: string
  readonly content: ReactNode
  /** True if the panel always contains controls, so that the panel itself needs no tab stop. */
  readonly hasControls?: boolean
  readonly panelClass?: string
}

export type TabsProps<Value extends string> = {
  readonly label: string
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly tabs: readonly Tab<Value>[]
  readonly aside?: ReactNode
  readonly isFilled?: boolean
  /** Leaves out the box around tabs and panel, so that both are items of the outer flex column. */
  readonly isUnboxed?: boolean
}

const fillClass = 'flex min-h-0 flex-1 flex-col'

function targetOf(key: string, from: number, count: number): number | undefined {
  if (key === 'ArrowRight') return (from + 1) % count
  if (key === 'ArrowLeft') return (from - 1 + count) % count
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}

/** Implements the tabs pattern of WAI-ARIA. Radix's tabs would make the game's code larger. */
export function Tabs<Value extends string>({
  label,
  value,
  onChange,
  tabs,
  aside,
  isFilled = false,
  isUnboxed = false,
}: TabsProps<Value>) {
  const id = useId()
  const move = (event: KeyboardEvent<HTMLButtonElement>, from: number) => {
    const target = targetOf(event.key, from, tabs.length)
    const tab = target === undefined ? undefined : tabs[target]
    if (target === undefined || tab === undefined) return
    event.preventDefault()
    onChange(tab.value)
    const next = event.currentTarget.parentElement?.children[target]
    if (next instanceof HTMLElement) next.focus()
  }
  const chosen = tabs.find((tab) => tab.value === value)
  return (
    <div className={isUnboxed ? 'contents' : isFilled ? fillClass : undefined}>
      {/* The wrap is reversed: in a narrow row `aside` moves above the tabs, and the tabs stay at the lower border. */}
      <div className="flex flex-wrap-reverse items-center gap-x-5 border-b border-line">
        <div role="tablist" aria-label={label} className="flex gap-5">
          {tabs.map((tab, index) => (
            <button
              key={tab.value}
              type="button"
              role="tab"
              id={`${id}-${tab.value}`}
              aria-selected={tab.value === value}
              aria-controls={tab.value === value ? `${id}-panel` : undefined}
              tabIndex={tab.value === value ? 0 : -1}
              onClick={() => onChange(tab.value)}
              onKeyDown={(event) => move(event, index)}
              className="-mb-px min-h-target border-b-2 border-transparent px-0.5 text-sm font-medium text-ink-3 transition-colors hover:text-ink aria-selected:border-gold aria-selected:text-ink"
            >
              {tab.label}
            </button>
          ))}
        </div>
        {aside !== undefined && <div className="min-w-[min(100%,9.25rem)] flex-1">{aside}</div>}
      </div>
      {chosen !== undefined && (
        <div
          key={chosen.value}
          role="tabpanel"
          id={`${id}-panel`}
          aria-labelledby={`${id}-${chosen.value}`}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A panel must be reachable by keyboard, also without focusable content.
          tabIndex={chosen.hasControls === true ? undefined : 0}
          className={classNames('rounded-s', isFilled && fillClass, chosen.panelClass)}
        >
          {chosen.content}
        </div>
      )}
    </div>
  )
}
