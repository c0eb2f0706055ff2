import type { ComponentProps } from 'react'
import { classNames } from '#web/ui/class-names.ts'
import { ChevronsUpDown } from '#web/ui/icons/chevrons-up-down.tsx'

export type SidebarTriggerProps = Omit<ComponentProps<'button'>, 'children' | 'className'> & {
  readonly isIcons: boolean
  readonly label: string
  readonly name: string
  readonly detail: string
  readonly mark: string
  readonly markClass: string
}

export function SidebarTrigger({ isIcons, label, name, detail, mark, markClass, ...button }: SidebarTriggerProps) {
  return (
    <button
      type="button"
      {...button}
      className={classNames(
        'flex w-full items-center gap-2.5 rounded-s text-left transition-colors hover:bg-surface-press',
        isIcons ? 'size-9.5 justify-center' : 'min-h-12 px-2 py-1.5',
      )}
    >
      <span aria-hidden className={classNames('grid size-8 shrink-0 place-items-center font-semibold', markClass)}>
        {mark}
      </span>
      {isIcons ? (
        <span className="sr-only">
          {label}: {name}
        </span>
      ) : (
        <>
          <span className="min-w-0 flex-1 leading-tight">
            <span className="sr-only">{label}: </span>
            <span className="block truncate text-sm font-semibold text-ink">{name}</span>
            <span className="block text-xs text-ink-3">{detail}</span>
          </span>
          <ChevronsUpDown aria-hidden size={16} className="shrink-0 text-ink-3" />
        </>
      )}
    </button>
  )
}
