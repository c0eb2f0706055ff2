import { ImagePlus, SendHorizontal, TriangleAlert } from 'lucide-react'
import {
  type ClipboardEvent,
  type KeyboardEvent,
  memo,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { MESSAGE_TEXT_MAX } from '#domain/chat/conversation.ts'
import { replyFor } from '#domain/chat/reply.ts'
import { isBlank } from '#domain/blank.ts'
import { chatTexts } from './chat-texts.ts'
import { formatCount } from '#web/platform/formats.ts'
import { useLazyPart } from '#web/platform/lazy-part.ts'
import { foldForSearch } from '#web/platform/search-text.ts'
import { IconButton } from '#web/ui/button.tsx'
import { careTopicsOf } from './care-words.ts'
import { type Reply, useReplies } from './use-replies.ts'
import type { Attachment } from './chat-store.ts'
import { useChatSession } from './use-chat.ts'

/* Fetched after the field is drawn, before the first image is attached. */
const loadPreview = () => import('./image-preview.tsx')
const loadCanned = () => import('./canned-list.tsx')

/** Spec §9. */
const textareaPx = 120

export type ComposerProps = {
  readonly threadKey: string
  readonly isConnected: boolean
  /** True when nobody can answer, or when another admin holds the conversation. */
  readonly isClosed: boolean
  /** Enables canned replies with a slash. */
  readonly isStaff: boolean
  /** The name of the other person, for the replies that have it. */
  readonly customer: string
  /** The attached image, previewed before it is sent. */
  readonly image: Attachment | null
}

const isTooLong = (text: string): boolean => text.trim().length > MESSAGE_TEXT_MAX

/** Writes the message of a thread, with its picture, and sends it. */
function useMessage({ threadKey, isConnected, isClosed, image }: ComposerProps) {
  const { attach, keepTyped, noteTyping, sendImage, sendText, stopTyping, typedIn } = useChatSession()
  const [text, setText] = useState(() => typedIn(threadKey))
  const isDisabled = !isConnected || isClosed
  const canSend = !isDisabled && !isTooLong(text) && (!isBlank(text) || image !== null)
  const { area, followFocus } = useArea(text, isDisabled)

  const change = (next: string) => {
    setText(next)
    keepTyped(threadKey, next)
  }
  const type = (next: string) => {
    change(next)
    if (isBlank(next)) stopTyping()
    else noteTyping(threadKey)
  }
  const submit = () => {
    if (!canSend) return
    if (image !== null) {
      if (!sendImage(threadKey, image.file)) return
      void attach(threadKey, null)
    }
    if (!isBlank(text) && sendText(threadKey, text)) change('')
    area.current?.focus()
  }
  return { text, isDisabled, canSend, area, followFocus, change, type, submit }
}

/** The message field: Enter sends, Shift+Enter inserts a line break, an image is previewed first (spec §5). */
export function Composer(props: ComposerProps) {
  const { threadKey, customer, isConnected, isStaff, image } = props
  const { attach } = useChatSession()
  const { text, isDisabled, canSend, area, followFocus, change, type, submit } = useMessage(props)
  const listId = useId()

  const { part: preview } = useLazyPart(loadPreview)
  const { part: cannedPart } = useLazyPart(loadCanned, isStaff)
  const replies = useReplies(isStaff, cannedPart?.cannedReplies)
  const canned = useCanned(isStaff ? text : '', replies, customer, (reply) => {
    change(reply)
    area.current?.focus()
  })

  const handleKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (endsWord(event) || canned.takeKey(event)) return
    // The keys of staff's desk work outside the field.
    if (isStaff && event.key === 'Escape') event.currentTarget.blur()
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    submit()
  }
  const handlePaste = (event: ClipboardEvent) => {
    const file = pastedImage(event)
    if (file === undefined) return
    event.preventDefault()
    void attach(threadKey, file)
  }

  return (
    <form
      className="relative border-t border-line bg-surface p-2"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {canned.options.length > 0 && cannedPart !== undefined && (
        <cannedPart.CannedList id={listId} options={canned.options} at={canned.at} onChoose={canned.choose} />
      )}
      {image !== null && preview !== undefined && (
        <preview.ImagePreview image={image} onRemove={() => void attach(threadKey, null)} />
      )}
      <Warnings text={text} />
      {/* In the narrowest pane the field has a line of its own. */}
      <div className="flex flex-wrap items-end justify-between gap-1 @min-[22rem]:flex-nowrap">
        <ImageButton threadKey={threadKey} isDisabled={isDisabled} />
        <textarea
          ref={area}
          rows={1}
          value={text}
          disabled={isDisabled}
          aria-label={chatTexts.messageLabel}
          aria-autocomplete={isStaff ? 'list' : undefined}
          aria-controls={canned.options.length > 0 ? listId : undefined}
          aria-activedescendant={canned.active === undefined ? undefined : `${listId}-${canned.active}`}
          placeholder={isConnected ? chatTexts.messagePlaceholder : chatTexts.connecting}
          enterKeyHint="send"
          onChange={({ target }) => type(target.value)}
          onKeyDown={handleKey}
          onPaste={handlePaste}
          {...followFocus}
          className="order-first min-h-target min-w-0 basis-full resize-none @min-[22rem]:order-none @min-[22rem]:flex-1 rounded-s border border-control bg-surface px-3 py-2.5 text-base leading-snug text-ink focus:border-gold disabled:border-line disabled:bg-surface-2"
        />
        <IconButton label={chatTexts.send} type="submit" disabled={!canSend} className="text-gold">
          <SendHorizontal aria-hidden size={22} strokeWidth={1.8} />
        </IconButton>
      </div>
      {isStaff && (
        <p className="flex items-center justify-between gap-2 px-2 pt-1 text-xs text-ink-3">
          {chatTexts.cannedHint}
          {cannedPart !== undefined && <cannedPart.RepliesButton />}
        </p>
      )}
    </form>
  )
}

/** A key of an input method: Enter that ends its word sends nothing. Safari reports it by the key code alone. */
// oxlint-disable-next-line typescript/no-deprecated -- Safari has no other way to detect it
const endsWord = ({ nativeEvent, keyCode }: KeyboardEvent): boolean => nativeEvent.isComposing || keyCode === 229

function pastedImage({ clipboardData }: ClipboardEvent): File | undefined {
  const file = [...clipboardData.files].find(({ type }) => type.startsWith('image/'))
  // Cells of a spreadsheet come as a text and as its picture; a copied file comes with its name as the text.
  return ['', file?.name].includes(clipboardData.getData('text/plain').trim()) ? file : undefined
}

/** The field itself: as high as its text, up to a bound, and with the focus again after it was disabled. */
function useArea(text: string, isDisabled: boolean) {
  const area = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    const element = area.current
    if (element === null) return
    element.style.height = 'auto'
    // An empty field is one line high, however long its placeholder is.
    if (text === '') return
    element.style.height = `${Math.min(element.scrollHeight + 2, textareaPx)}px`
    element.style.overflowY = element.scrollHeight > textareaPx ? 'auto' : 'hidden'
  }, [text])

  // A disabled field loses the focus; it gets the focus back with the connection.
  const hadFocus = useRef(false)
  useEffect(() => {
    if (isDisabled || !hadFocus.current) return
    hadFocus.current = false
    area.current?.focus()
  }, [isDisabled])
  const followFocus = {
    onFocus: () => {
      hadFocus.current = true
    },
    onBlur: () => {
      if (area.current?.disabled !== true) hadFocus.current = false
    },
  }
  return { area, followFocus }
}

/** About a text that names money, accounts or secrets (rules §7), and one that is too long. */
function Warnings({ text }: { readonly text: string }) {
  const topics = careTopicsOf(text)
  return (
    <>
      {topics.length > 0 && (
        <p
          role="status"
          className="mb-2 flex items-start gap-2 rounded-s bg-warn-soft px-3 py-1.5 text-xs font-medium text-warn"
        >
          <TriangleAlert aria-hidden size={14} className="mt-px shrink-0" />
          {topics.map((topic) => chatTexts.warnings[topic]).join(' ')}
        </p>
      )}
      {isTooLong(text) && (
        <p role="alert" className="mb-1 px-2 text-xs text-down">
          {chatTexts.tooLong(formatCount(MESSAGE_TEXT_MAX))}
        </p>
      )}
    </>
  )
}

/** A word that begins with a slash, where the text ends. */
const slashed = /(?<=^|\s)\/([\p{L}\p{N}]*)$/u

/** The replies whose name begins with a word, then those whose text holds it; without accents. */
function matching(replies: readonly Reply[], wanted: string): readonly Reply[] {
  const word = foldForSearch(wanted)
  const [named, others] = [
    replies.filter(({ name }) => name.startsWith(word)),
    replies.filter(({ name, text }) => !name.startsWith(word) && foldForSearch(text).includes(word)),
  ]
  return word.length < 2 ? named : [...named, ...others]
}

/** The canned replies that match a word after a slash, and the keys that choose among them. */
function useCanned(text: string, replies: readonly Reply[], customer: string, choose: (reply: string) => void) {
  const [at, setAt] = useState(0)
  const [closedFor, setClosedFor] = useState<string>()
  const found = slashed.exec(text)
  const options = found === null || closedFor === text ? [] : matching(replies, found[1] ?? '')
  const current = Math.min(at, options.length - 1)
  const take = (index: number) => {
    const option = options[index]
    if (option === undefined) return
    setAt(0)
    choose(text.slice(0, found?.index) + replyFor(option.text, customer))
  }
  return {
    options,
    at: current,
    active: options[current] === undefined ? undefined : current,
    choose: take,
    takeKey(event: KeyboardEvent): boolean {
      if (options.length === 0) return false
      const { key } = event
      if (key === 'ArrowDown') setAt((current + 1) % options.length)
      else if (key === 'ArrowUp') setAt((current + options.length - 1) % options.length)
      else if ((key === 'Enter' && !event.shiftKey) || key === 'Tab') take(current)
      else if (key === 'Escape') setClosedFor(text)
      else return false
      event.preventDefault()
      return true
    },
  }
}

type ImageButtonProps = { readonly threadKey: string; readonly isDisabled: boolean }

/** Drawn seldom: React writes an input's type and name anew with every change around it, such as the other's presence. */
const ImageButton = memo(function ImageButton({ threadKey, isDisabled }: ImageButtonProps) {
  const { attach } = useChatSession()
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton label={chatTexts.attach} disabled={isDisabled} onClick={() => picker.current?.click()}>
        <ImagePlus aria-hidden size={22} strokeWidth={1.7} />
      </IconButton>
      <input
        ref={picker}
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp"
        className="hidden"
        onChange={({ target }) => {
          const file = target.files?.[0]
          if (file !== undefined) void attach(threadKey, file)
          target.value = ''
        }}
      />
    </>
  )
})
