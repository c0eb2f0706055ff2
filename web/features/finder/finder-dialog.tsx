import { Command } from 'cmdk'
import { Dialog as Radix } from 'radix-ui'
import { type KeyboardEvent, useRef, useState } from 'react'
import { QUESTION_MAX } from '#domain/finder/question.ts'
import { endsWord } from '#web/platform/ends-word.ts'
import { formatCount } from '#web/platform/formats.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { useBackCloses } from '#web/ui/back-closes.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { useFocusReturn } from '#web/ui/dialog.tsx'
import { ArrowLeft } from '#web/ui/icons/arrow-left.tsx'
import { ChevronRight } from '#web/ui/icons/chevron-right.tsx'
import { Search } from '#web/ui/icons/search.tsx'
import { FinderList } from './finder-list.tsx'
import { finderTexts as texts } from './finder-texts.ts'
import { type Customer, type Item, type Known, type Shown, useActs, useMeanings } from './meanings.ts'

export type FinderProps = Known & { readonly onClose: () => void }

type Picked = { readonly value: string; readonly list: string }

type Acting = { readonly customer: Customer; readonly input: string; readonly from: Picked }

/** Finds users, rounds, requests, pages, acts and more by a text (rules §6.14). */
export function FinderDialog({ onClose, ...known }: FinderProps) {
  const [input, setInput] = useState('')
  const [acting, setActing] = useState<Acting | null>(null)
  const [picked, setPicked] = useState<Picked>({ value: '', list: '' })
  const meanings = useMeanings(input, known)
  const acts = useActs(acting?.customer, acting?.input ?? '', known.userActs)
  const shown = acting === null ? meanings : acts
  const items = shown.groups.flatMap((group) => group.items)
  const item = items.find(({ value }) => picked.list === shown.list && value === picked.value) ?? items[0]
  const field = useRef<HTMLInputElement>(null)
  const { byPerson, isByPerson, hold, held } = useByPerson()

  const chosen = useRef<() => void>(undefined)
  const choose = ({ run, fill }: Item) => {
    if (fill !== undefined) return setInput(fill)
    chosen.current = run
    onClose()
  }
  const showActs = (customer: Customer) => {
    const row = items.find((one) => one.customer?.id === customer.id)
    setActing({ customer, input: '', from: { value: row?.value ?? '', list: shown.list } })
    field.current?.focus()
  }
  const back = () => {
    if (acting !== null) setPicked(acting.from)
    setActing(null)
    field.current?.focus()
  }
  const handleKey = (event: KeyboardEvent) => {
    const { target, key, altKey, ctrlKey, metaKey, shiftKey } = event
    const isPlain = !altKey && !ctrlKey && !metaKey && !shiftKey && !endsWord(event)
    const caret = isPlain && target instanceof HTMLInputElement ? target : undefined
    const isBack = acting !== null && caret?.selectionEnd === 0 && (key === 'ArrowLeft' || key === 'Backspace')
    const isActs =
      acting === null && key === 'ArrowRight' && caret !== undefined && caret.selectionStart === caret.value.length
    if (isBack) back()
    else if (isActs && item?.customer !== undefined) showActs(item.customer)
    // Escape is no selection by the user, though it may bring back the previous list, whose first item cmdk selects.
    else return key !== 'Escape' && byPerson()
    event.preventDefault()
  }
  return (
    <Frame onClose={onClose} onBack={acting === null ? undefined : back} onClosed={() => chosen.current?.()}>
      <Command
        label={acting === null ? texts.title : texts.showActs(acting.customer.username)}
        shouldFilter={false}
        loop
        value={held(item?.value ?? '')}
        onValueChange={(next) => (isByPerson() ? setPicked({ value: next, list: shown.list }) : hold())}
        onKeyDown={handleKey}
        onPointerMoveCapture={byPerson}
        className="flex min-h-0 flex-1 flex-col"
      >
        <Field
          ref={field}
          input={acting?.input ?? input}
          onInput={(next) => (acting === null ? setInput(next) : setActing({ ...acting, input: next }))}
          customer={acting?.customer}
          onBack={back}
          onClose={onClose}
        />
        <p role="status" className="sr-only">
          {statusOf(shown, items.length, acting !== null)}
        </p>
        <FinderList shown={shown} onChoose={choose} onActs={showActs} />
      </Command>
      <Foot isActing={acting !== null} customer={item?.customer} onActs={showActs} />
    </Frame>
  )
}

function statusOf({ isSearching, failed, text, found }: Shown, count: number, isActing: boolean) {
  if (isSearching) return texts.searching
  if (failed !== undefined || !(isActing || text !== '')) return ''
  return count === 0 ? texts.nothing(text) : found(formatCount(count))
}

/** Tells whether a key or the pointer made a selection, because cmdk also selects the first item by itself. */
function useByPerson() {
  const isNow = useRef(false)
  const [isSpaced, setSpaced] = useState(false)
  return {
    byPerson: () => {
      isNow.current = true
      queueMicrotask(() => (isNow.current = false))
    },
    isByPerson: () => isNow.current,
    /** Undoes cmdk's selection. Adding or removing a final space (which cmdk trims) makes cmdk read the value again. */
    hold: () => setSpaced(!isSpaced),
    held: (value: string) => (isSpaced ? `${value} ` : value),
  }
}

type FieldProps = {
  readonly ref: React.Ref<HTMLInputElement>
  readonly input: string
  readonly onInput: (input: string) => void
  readonly customer: Customer | undefined
  readonly onBack: () => void
  readonly onClose: () => void
}

function Field({ ref, input, onInput, customer, onBack, onClose }: FieldProps) {
  return (
    <div className="flex items-center gap-2.5 border-b border-line px-4">
      {customer === undefined ? (
        <Search aria-hidden size={18} strokeWidth={1.8} className="shrink-0 text-ink-3" />
      ) : (
        // Only Escape may reach the list from this button: Enter has to press the button, not choose an item.
        <span
          role="presentation"
          className="-mx-3 shrink-0"
          onKeyDown={(event) => event.key !== 'Escape' && event.stopPropagation()}
        >
          <IconButton label={texts.back} onClick={onBack} className="text-ink-2">
            <ArrowLeft aria-hidden size={18} strokeWidth={1.8} />
          </IconButton>
        </span>
      )}
      <Command.Input
        ref={ref}
        value={input}
        onValueChange={onInput}
        maxLength={QUESTION_MAX}
        placeholder={customer === undefined ? texts.placeholder : texts.actsPlaceholder(customer.username)}
        className="h-13 min-w-0 flex-1 bg-transparent text-base text-ink outline-none placeholder:text-ink-3"
      />
      <Button variant="outline" size="sm" onClick={onClose} className="min-h-target md:hidden">
        {commonTexts.close}
      </Button>
    </div>
  )
}

type FootProps = {
  readonly isActing: boolean
  readonly customer: Customer | undefined
  readonly onActs: (customer: Customer) => void
}

function Foot({ isActing, customer, onActs }: FootProps) {
  return (
    <div className="flex min-h-11 items-center justify-between gap-2.5 border-t border-line px-4 text-xs text-ink-3 max-md:not-has-[button]:hidden">
      <p className="py-2 max-md:hidden">{isActing ? texts.actsKeys : texts.keys}</p>
      {customer !== undefined && (
        <Button
          variant="ghost"
          size="sm"
          onClick={() => onActs(customer)}
          className="-mr-3 ml-auto min-w-0 max-md:min-h-target"
        >
          <span className="truncate">{texts.showActs(customer.username)}</span>
          <ChevronRight aria-hidden size={14} strokeWidth={1.8} className="shrink-0" />
        </Button>
      )}
    </div>
  )
}

type FrameProps = {
  readonly onClose: () => void
  /** Called instead of `onClose` on Escape and on the device's back button; if undefined, these close the dialog. */
  readonly onBack: (() => void) | undefined
  /** Called after the dialog has closed and the focus has returned to the element that had it before. */
  readonly onClosed: () => void
  readonly children: React.ReactNode
}

/** The dialog's frame, fixed near the top of the window, so that the field stays in place while the results change. */
function Frame({ onClose, onBack, onClosed, children }: FrameProps) {
  const { onOpenAutoFocus, onCloseAutoFocus } = useFocusReturn()
  useBackCloses(true, onClose)
  useBackCloses(onBack !== undefined, onBack ?? onClose)
  return (
    <Radix.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade-in bg-scrim" />
        <Radix.Content
          aria-describedby={undefined}
          onOpenAutoFocus={onOpenAutoFocus}
          onEscapeKeyDown={(event) => {
            if (onBack === undefined) return
            event.preventDefault()
            onBack()
          }}
          onCloseAutoFocus={(event) => {
            onCloseAutoFocus(event)
            setTimeout(onClosed)
          }}
          className="fixed inset-x-gutter top-gutter z-50 mx-auto flex h-[min(34rem,calc(100dvh-2rem))] max-w-[38rem] animate-rise-in flex-col overflow-hidden rounded-m border border-line bg-surface shadow-overlay outline-none md:top-[12vh] md:h-[min(34rem,76vh)]"
        >
          <Radix.Title className="sr-only">{texts.title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
