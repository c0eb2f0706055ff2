import { lazy, Suspense, useState } from 'react'
import { chatTexts } from './chat-texts.ts'
import { classNames } from '#web/ui/class-names.ts'
import type { Reply } from './use-replies.ts'

export { cannedReplies } from './canned-replies.ts'

const RepliesSheet = lazy(() => import('./replies-sheet.tsx').then((module) => ({ default: module.RepliesSheet })))

export type CannedListProps = {
  readonly id: string
  readonly options: readonly Reply[]
  /** The index of the option that Enter chooses. */
  readonly at: number
  readonly onChoose: (at: number) => void
}

/** The canned replies that match. The keyboard chooses through the textarea, which keeps the focus. */
export function CannedList({ id, options, at, onChoose }: CannedListProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label={chatTexts.cannedTitle}
      className="absolute inset-x-2 bottom-full mb-1 max-h-64 overflow-y-auto rounded-m border border-line bg-surface p-1.5 shadow-overlay"
    >
      {options.map(({ name, text }, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the textarea handles the keys
        <div
          // Two people may have given one name.
          key={`${name} ${index}`}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(index)}
          className={classNames('rounded-s px-3 py-2 text-sm', index === at && 'bg-surface-press')}
        >
          <span className="font-semibold text-gold">/{name}</span> {text}
        </div>
      ))}
    </div>
  )
}

/** Opens the replies of one's own and of the team, to be changed. */
export function RepliesButton() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        onClick={() => setIsOpen(true)}
        className="relative font-medium text-ink-2 underline underline-offset-4 before:absolute before:-inset-2"
      >
        {chatTexts.editReplies}
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <RepliesSheet onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
