import { DropdownMenu as Radix } from 'radix-ui'
import { Fragment, type ReactNode, type RefObject, useImperativeHandle, useRef, useState } from 'react'
import { useBackCloses } from './back-closes.ts'
import { classNames } from './class-names.ts'
import type { IconComponent } from './icon.tsx'
import { Check } from './icons/check.tsx'

export type MenuItem = {
  readonly id: string
  readonly label: ReactNode
  readonly hint?: string | undefined
  readonly icon?: IconComponent
  readonly tone?: 'danger'
  readonly isDisabled?: boolean
  /** If given, the item is a switch: the menu stays open when the item is chosen. */
  readonly isChecked?: boolean
  readonly onSelect: () => void
}

export type MenuGroup = { readonly id: string; readonly label?: string; readonly items: readonly MenuItem[] }

export type MenuProps = {
  readonly trigger: ReactNode
  readonly groups: readonly MenuGroup[]
  readonly side?: 'top' | 'bottom' | 'right'
  readonly align?: 'start' | 'end'
  readonly onOpen?: () => void
  /** Receives a function that opens the menu, for a keyboard shortcut. */
  readonly opener?: RefObject<(() => void) | null>
}

const itemClass =
  'flex min-h-target cursor-default items-center gap-2.5 rounded-s px-2.5 py-1.5 text-sm outline-none select-none data-disabled:text-ink-3 data-highlighted:bg-surface-press md:min-h-9'

export function Menu({ trigger, groups, side = 'bottom', align = 'end', onOpen, opener }: MenuProps) {
  const shown = groups.filter(({ items }) => items.length > 0)
  const chosen = useRef<() => void>(undefined)
  const triggerRef = useRef<HTMLButtonElement>(null)
  // The menu is rendered inside the landmark or dialog of its button, so that assistive technology finds it there.
  const [host, setHost] = useState<HTMLElement | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  useBackCloses(isOpen, () => setIsOpen(false))
  const handleOpenChange = (willOpen: boolean) => {
    setIsOpen(willOpen)
    if (willOpen) onOpen?.()
    if (willOpen) setHost(triggerRef.current?.closest<HTMLElement>('main, aside, [role="dialog"]') ?? null)
  }
  useImperativeHandle(opener, () => () => handleOpenChange(true))
  /** Runs the chosen act after the menu's button got the focus, so that a dialog of the act returns the focus there. */
  const act = () => {
    const run = chosen.current
    chosen.current = undefined
    if (run !== undefined) setTimeout(run)
  }
  return (
    <Radix.Root modal={false} open={isOpen} onOpenChange={handleOpenChange}>
      <Radix.Trigger ref={triggerRef} asChild>
        {trigger}
      </Radix.Trigger>
      <Radix.Portal container={host}>
        <Radix.Content
          side={side}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={act}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) max-w-[20rem] min-w-48 overflow-y-auto rounded-m border border-line bg-surface p-1.5 text-ink shadow-overlay data-[state=open]:animate-fade-in"
        >
          {shown.map((group, at) => (
            <Fragment key={group.id}>
              {at > 0 && <Radix.Separator className="mx-1 my-1.5 h-px bg-line" />}
              <Radix.Group>
                {group.label !== undefined && (
                  <Radix.Label className="px-2.5 pt-1 pb-1.5 text-xs text-ink-3">{group.label}</Radix.Label>
                )}
                {group.items.map((item) => (
                  <Item key={item.id} item={item} onChoose={() => (chosen.current = item.onSelect)} />
                ))}
              </Radix.Group>
            </Fragment>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function Item({ item, onChoose }: { readonly item: MenuItem; readonly onChoose: () => void }) {
  const { label, hint, icon: Icon, tone, isDisabled = false, isChecked, onSelect } = item
  const content = (
    <>
      {Icon !== undefined && <Icon aria-hidden size={16} strokeWidth={1.8} className="shrink-0" />}
      <span className="min-w-0 flex-1">
        <span>{label}</span>
        {hint !== undefined && <span className="block text-xs text-ink-3">{hint}</span>}
      </span>
    </>
  )
  const look = classNames(itemClass, tone === 'danger' && !isDisabled && 'text-down')
  if (isChecked === undefined)
    return (
      <Radix.Item disabled={isDisabled} onSelect={onChoose} className={look}>
        {content}
      </Radix.Item>
    )
  return (
    <Radix.CheckboxItem
      checked={isChecked}
      disabled={isDisabled}
      onSelect={(event) => {
        event.preventDefault()
        onSelect()
      }}
      className={look}
    >
      {content}
      <span className="grid size-4 place-items-center">
        <Radix.ItemIndicator>
          <Check aria-hidden size={16} strokeWidth={2} />
        </Radix.ItemIndicator>
      </span>
    </Radix.CheckboxItem>
  )
}
