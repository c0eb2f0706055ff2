import { Suspense, useState } from 'react'
import type { Me } from '#contract/identity.ts'
import { useLogOut } from '#web/features/account/use-log-out.tsx'
import { isCovered, useKeyDown } from '#web/lists/shortcuts.ts'
import { Search } from '#web/ui/icons/search.tsx'
import { lazyComponent } from '#web/ui/lazy-component.ts'
import { adminTexts } from './admin-texts.ts'

const Finder = lazyComponent(() => import('./admin-finder-dialog.tsx'), 'AdminFinderDialog')

const keyName = /^Mac|^iP/.test(globalThis.navigator.platform) ? '⌘K' : 'Ctrl K'

export function AdminFinder({ me }: { readonly me: Me }) {
  const [isOpen, setIsOpen] = useState(false)
  const { start: leave, question } = useLogOut(me.id)
  useKeyDown((event) => {
    const isKey = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
    if (!isKey || event.altKey || event.shiftKey || event.isComposing) return
    // Even while a dialog is open, prevent the browser's own Ctrl+K, which would take the focus out of the page.
    event.preventDefault()
    if (isOpen) setIsOpen(false)
    else if (!event.repeat && !isCovered()) setIsOpen(true)
  })
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setIsOpen(true)}
        className="flex size-target items-center justify-center gap-2 rounded-s text-sm text-ink-2 transition-colors hover:bg-surface-press hover:text-ink md:h-9 md:w-auto md:border md:border-line-strong md:px-2.5"
      >
        <Search aria-hidden size={18} strokeWidth={1.8} className="shrink-0" />
        <span className="max-md:sr-only">{adminTexts.find}</span>
        <kbd
          aria-hidden
          className="rounded-s border border-line px-1.5 font-sans text-xs text-ink-3 max-md:hidden lg:ml-6"
        >
          {keyName}
        </kbd>
      </button>
      <Suspense fallback={null}>
        {isOpen && <Finder meId={me.id} onLeave={leave} onClose={() => setIsOpen(false)} />}
      </Suspense>
      {question}
    </>
  )
}
