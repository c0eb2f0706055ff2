import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useRef } from 'react'
import { commonTexts } from '#web/platform/texts.ts'
import { useBackCloses } from './back-closes.ts'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { X } from './icons/x.tsx'

export type DialogProps = {
  readonly isOpen?: boolean
  readonly onClose: () => void
  readonly title: string
  readonly aside?: ReactNode
  readonly isWide?: boolean
  readonly description?: ReactNode
  readonly children?: ReactNode
  readonly footer?: ReactNode
  /** The id of the element that gets the focus after closing; by default the element that had the focus before. */
  readonly returnsTo?: string
  /** True if the page's address opens the dialog. A step back in the history then closes it without an extra entry. */
  readonly isOfAddress?: boolean
}

const scrimClass = 'fixed inset-0 z-40 bg-scrim data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in'

export function Dialog(props: DialogProps) {
  return (
    <Panel
      {...props}
      place="inset-x-gutter top-1/2 mx-auto max-h-[calc(100dvh-2rem)] max-w-[26rem] -translate-y-1/2 rounded-m"
      motion="data-[state=closed]:animate-rise-out data-[state=open]:animate-rise-in"
    />
  )
}

/** A sheet that rises from the bottom on a phone; on wider screens it is a dialog. */
export function Sheet(props: DialogProps) {
  return (
    <Panel
      {...props}
      place={classNames(
        'inset-x-0 bottom-0 mx-auto max-h-[calc(100dvh-2rem)] rounded-t-m pb-[env(safe-area-inset-bottom)] md:inset-x-gutter md:top-1/2 md:bottom-auto md:-translate-y-1/2 md:rounded-m',
        props.isWide === true ? 'max-w-[46rem]' : 'max-w-column',
      )}
      motion="data-[state=closed]:animate-sheet-out data-[state=open]:animate-sheet-in md:data-[state=closed]:animate-rise-out md:data-[state=open]:animate-rise-in"
    />
  )
}

/** Fields that handle Escape themselves, for example to close their list. Otherwise Radix would close the dialog. */
const takesEscape = '[data-takes-escape],[role="combobox"][aria-expanded="true"]'

type PanelProps = DialogProps & { readonly place: string; readonly motion: string }

/**
 * After closing, moves the focus to the element `returnsTo`, or else to the element that had the focus before; if that
 * element has left the page, to the screen's heading. Radix would return the focus only to a `Radix.Trigger`, which
 * these dialogs do not have.
 */
export function useFocusReturn(returnsTo?: string) {
  const before = useRef<Element | null>(null)
  return {
    onOpenAutoFocus: () => {
      before.current = document.activeElement
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      const top = [...document.querySelectorAll('[role="dialog"],[role="alertdialog"]')].at(-1)
      const wanted = returnsTo === undefined ? before.current : document.getElementById(returnsTo)
      // Another dialog is open, and the element is not in it: do not take the focus from that dialog.
      if (top !== undefined && !top.contains(wanted)) return
      const isThere = wanted instanceof HTMLElement && wanted.isConnected && wanted !== document.body
      const heading = document.querySelector<HTMLElement>('main h1')
      if (isThere) wanted.focus()
      else heading?.focus({ preventScroll: true })
    },
  }
}

function Panel(props: PanelProps) {
  const { isOpen = true, onClose, title, aside, description, children, footer, returnsTo, place, motion } = props
  const { isOfAddress = false } = props
  useBackCloses(isOpen && !isOfAddress, onClose)
  // Radix requires a description or an explicit undefined.
  const describedBy = description === undefined ? { 'aria-describedby': undefined } : {}
  const focusReturn = useFocusReturn(returnsTo)
  return (
    <Radix.Root open={isOpen} onOpenChange={() => onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={scrimClass} />
        <Radix.Content
          {...describedBy}
          {...focusReturn}
          onEscapeKeyDown={(event) => {
            if (event.target instanceof Element && event.target.matches(takesEscape)) event.preventDefault()
          }}
          className={classNames(
            'fixed z-50 flex flex-col border border-line bg-surface shadow-overlay outline-none',
            place,
            motion,
          )}
        >
          <div className="flex items-start gap-2 pt-2 pr-2 pl-4">
            <Radix.Title className="flex-1 pt-2.5 text-base font-semibold text-ink">{title}</Radix.Title>
            {aside}
            <Radix.Close asChild>
              <IconButton label={commonTexts.close} className="text-ink-3">
                <X aria-hidden size={20} strokeWidth={1.8} />
              </IconButton>
            </Radix.Close>
          </div>
          <div className="flex min-h-0 flex-col gap-3 overflow-y-auto overscroll-contain px-4 pt-1 pb-4">
            {description !== undefined && (
              <Radix.Description asChild>
                <div className="text-sm text-ink-2">{description}</div>
              </Radix.Description>
            )}
            {children}
          </div>
          {footer !== undefined && <div className="flex flex-wrap justify-end gap-2 px-4 pb-4">{footer}</div>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
