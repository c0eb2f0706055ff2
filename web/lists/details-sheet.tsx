import { useContext, useEffect, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import { commonTexts } from '#web/platform/texts.ts'
import { IconButton } from '#web/ui/button.tsx'
import { type DialogProps, Sheet } from '#web/ui/dialog.tsx'
import { X } from '#web/ui/icons/x.tsx'
import { type DetailsRoom, DetailsRoomContext } from './details-room.ts'
import { focusedRowId, focusRow, useShortcuts } from './shortcuts.ts'

export type DetailsSheetProps = Pick<DialogProps, 'title' | 'aside' | 'isWide' | 'children' | 'footer'> & {
  /** When this id changes, the content is mounted anew, so that no state of the previous row remains. */
  readonly rowId: string
  readonly onClose: () => void
}

export function DetailsSheet({ rowId, onClose, children, ...props }: DetailsSheetProps) {
  const room = useContext(DetailsRoomContext)
  const content = (
    <div key={rowId} className="@container flex flex-col gap-3">
      {children}
    </div>
  )
  if (room !== null)
    return (
      <Pane {...props} room={room} rowId={rowId} onClose={onClose}>
        {content}
      </Pane>
    )
  return (
    <Sheet {...props} onClose={onClose}>
      {content}
    </Sheet>
  )
}

type PaneProps = Omit<DetailsSheetProps, 'isWide'> & { readonly room: DetailsRoom }

/** Shows the details in a pane beside the list. While the pane has the focus, the list's shortcuts still work. */
function Pane({ room: { place, onShow }, rowId, title, aside, children, footer, onClose }: PaneProps) {
  const id = useId()
  const pane = useRef<HTMLElement>(null)
  useEffect(() => {
    // Wait for a later task: a dialog that opened these details moves the focus when it closes.
    const timer = setTimeout(() => {
      onShow(rowId)
      const isHere = pane.current?.contains(document.activeElement) === true || focusedRowId(document.body) === rowId
      if (!isHere) focusRow(rowId)
    })
    return () => clearTimeout(timer)
  }, [onShow, rowId])
  useEffect(() => () => onShow(undefined), [onShow])
  const close = () => {
    focusRow(rowId)
    onClose()
  }
  useShortcuts({ Escape: close })
  return createPortal(
    <section
      ref={pane}
      aria-labelledby={id}
      className="flex max-h-full w-104 flex-col rounded-m border border-line bg-surface shadow-card"
    >
      <div className="flex items-start gap-2 pt-2 pr-2 pl-4">
        <h2 id={id} className="flex-1 pt-2.5 text-base font-semibold text-ink">
          {title}
        </h2>
        {aside}
        <IconButton label={commonTexts.close} onClick={close} className="text-ink-3">
          <X aria-hidden size={20} strokeWidth={1.8} />
        </IconButton>
      </div>
      <div
        role="group"
        aria-labelledby={id}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard.
        tabIndex={0}
        className="flex min-h-0 flex-col gap-3 overflow-y-auto overscroll-contain px-4 pt-1 pb-4 focus-visible:-outline-offset-2"
      >
        {children}
      </div>
      {footer !== undefined && <div className="flex flex-wrap justify-end gap-2 px-4 pb-4">{footer}</div>}
    </section>,
    place,
  )
}
