import { useQueryClient } from '@tanstack/react-query'
import {
  type KeyboardEvent,
  type RefObject,
  Suspense,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { GAP, placeholdersOf, replyFor } from '#domain/chat/reply.ts'
import { isDraft, type Thread } from '#domain/chat/thread.ts'
import { formatAmount, formatCount } from '#web/platform/formats.ts'
import { foldForSearch } from '#domain/search-text.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { lazyComponent } from '#web/ui/lazy-component.ts'
import { type Reply, useReplies } from './canned-replies.ts'
import { besideTexts } from './beside-texts.ts'
import { ChoiceList, useChoices } from './choice-list.tsx'

const loadCustomerApi = () => import('./customer-api.ts')
const RepliesSheet = lazyComponent(() => import('./replies-sheet.tsx'), 'RepliesSheet')

export type CannedProps = {
  readonly text: string
  readonly area: RefObject<HTMLTextAreaElement | null>
  readonly thread: Thread
  /** `CannedList` sets this ref to a handler for the field's keys. The handler returns whether it used the key. */
  readonly takeKey: RefObject<((event: KeyboardEvent) => boolean) | null>
  readonly onChoose: (text: string) => void
}

/** Matches, at the end of the text, a slash that begins a word, and the letters and digits after the slash. */
const slashed = /(?<=^|\s)\/([\p{L}\p{N}]*)$/u

/** Returns replies whose name begins with `wanted`. From two letters on, replies with `wanted` in their text follow. */
function matching(replies: readonly Reply[], wanted: string): readonly Reply[] {
  const word = foldForSearch(wanted)
  const [named, others] = [
    replies.filter(({ name }) => name.startsWith(word)),
    replies.filter(({ name, text }) => !name.startsWith(word) && foldForSearch(text).includes(word)),
  ]
  return word.length < 2 ? named : [...named, ...others]
}

/** Lists canned replies for the word after a slash. The textarea keeps the focus and passes its keys to `takeKey`. */
export function CannedList({ text, area, thread, takeKey, onChoose }: CannedProps) {
  const id = useId()
  const replies = useReplies()
  const insert = useInsert(thread, area, onChoose)
  const choices = useChoices(
    text,
    slashed,
    (wanted) => matching(replies, wanted),
    (reply, before) => insert(before, reply.text),
  )
  const active = choices.active === undefined ? null : `${id}-${choices.active}`
  useImperativeHandle(takeKey, () => (event) => choices.takeKey(event))
  useLayoutEffect(() => {
    // These attributes are set here and not in the composer, since players load the composer but have no replies.
    for (const [name, value] of [
      ['aria-controls', active && id],
      ['aria-activedescendant', active],
    ] as const)
      if (value === null) area.current?.removeAttribute(name)
      else area.current?.setAttribute(name, value)
  })
  if (active === null) return null
  return (
    <ChoiceList
      id={id}
      label={besideTexts.cannedTitle}
      sign="/"
      options={choices.options}
      at={choices.at}
      onChoose={choices.choose}
    />
  )
}

/** Returns a function that inserts a reply with gaps for balance and round, and fills them once both are loaded. */
function useInsert(thread: Thread, area: CannedProps['area'], onChoose: CannedProps['onChoose']) {
  const client = useQueryClient()
  const { key, peer } = thread

  /** Loads the facts for a reply's placeholders. A fact that can't be read is left out. */
  async function factsFor(names: ReadonlySet<string>): Promise<Map<string, string>> {
    const facts = new Map([['tên', peer?.username ?? '']])
    if (isDraft(thread) || peer === null) return facts
    const { customerBetsQuery, customerQuery } = await loadCustomerApi()
    const read = async (name: string, ask: () => Promise<string | undefined>) => {
      const fact = names.has(name) ? await ask().catch(() => undefined) : undefined
      if (fact !== undefined) facts.set(name, fact)
    }
    await Promise.all([
      // `staleTime: 0` fetches the current balance even if the customer panel has an older one.
      read('số dư', async () => {
        const { balanceMinor } = await client.query({ ...customerQuery(key), staleTime: 0 })
        return `${formatAmount(balanceMinor)} ${commonTexts.points}`
      }),
      read('phiên', async () => {
        const [latest] = await client.query({ ...customerBetsQuery(peer.id), staleTime: 0 })
        return latest && formatCount(latest.round.roundNumber)
      }),
    ])
    return facts
  }

  return (before: string, reply: string): void => {
    const put = (facts: ReadonlyMap<string, string>): string => {
      const text = before + replyFor(reply, facts)
      // React must draw the text before the gap is selected, or the selection would be lost.
      flushSync(() => onChoose(text))
      const gapAt = text.indexOf(GAP, before.length)
      area.current?.focus()
      if (gapAt >= 0) area.current?.setSelectionRange(gapAt, gapAt + GAP.length)
      return text
    }
    const names = new Set(placeholdersOf(reply))
    const shown = put(new Map([['tên', peer?.username ?? '']]))
    if (!names.has('số dư') && !names.has('phiên')) return
    void factsFor(names).then((facts) => {
      if (area.current?.value === shown) put(facts)
    })
  }
}

export function RepliesButton() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        onClick={() => setIsOpen(true)}
        className="relative font-medium text-ink-2 underline underline-offset-4 before:absolute before:-inset-2"
      >
        {besideTexts.editReplies}
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <RepliesSheet onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
