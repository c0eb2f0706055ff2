import { ImagePlus, SendHorizontal, TriangleAlert } from 'lucide-react'
import {
  type ChangeEvent,
  type ClipboardEvent,
  type KeyboardEvent,
  memo,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { MESSAGE_TEXT_MAX } from '#domain/chat/conversation.ts'
import { cannedReplies, chatTexts } from './chat-texts.ts'
import { formatCount } from '#web/platform/formats.ts'
import { useLazyPart } from '#web/platform/lazy-part.ts'
import { foldForSearch } from '#web/platform/search-text.ts'
import { IconButton } from '#web/ui/button.tsx'
import { careTopicsOf } from './care-words.ts'
import type { Attachment } from './image-preview.tsx'
import { useChatSession } from './use-chat.ts'

/* Fetched after the field is drawn, before the first image is attached. */
const loadPreview = () => import('./image-preview.tsx')
const loadCannedList = () => import('./canned-list.tsx')

/** Spec §9. */
const textareaPx = 120

export type ComposerProps = {
  readonly threadKey: string
  readonly isConnected: boolean
  /** True when nobody can answer, or when another admin holds the conversation. */
  readonly isClosed: boolean
  /** Enables canned replies with a slash. */
  readonly isStaff: boolean
  /** The attached image, previewed before it is sent. */
  readonly image: Attachment | null
  /** Called with a chosen or pasted file; undefined removes the image. */
  readonly onAttach: (file: File | undefined) => void
}

/** The message field: Enter sends, Shift+Enter inserts a line break, an image is previewed first (spec §5). */
export function Composer({ threadKey, isConnected, isClosed, isStaff, image, onAttach }: ComposerProps) {
  const { keepTyped, noteTyping, sendImage, sendText, stopTyping, typedIn } = useChatSession()
  const [text, setText] = useState(() => typedIn(threadKey))
  const area = useRef<HTMLTextAreaElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const latestAttach = useRef(onAttach)
  useLayoutEffect(() => {
    latestAttach.current = onAttach
  })
  const pick = useCallback((file: File | undefined) => latestAttach.current(file), [])
  const listId = useId()
  const isDisabled = !isConnected || isClosed
  const tooLong = text.trim().length > MESSAGE_TEXT_MAX
  const canSend = !isDisabled && !tooLong && (text.trim() !== '' || image !== null)
  const topics = careTopicsOf(text)

  const change = (next: string) => {
    setText(next)
    keepTyped(threadKey, next)
  }

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

  const submit = () => {
    if (!canSend) return
    if (image !== null) {
      if (!sendImage(threadKey, image.file)) return
      onAttach(undefined)
    }
    if (text.trim() !== '' && sendText(threadKey, text)) change('')
    area.current?.focus()
  }

  const { part: preview } = useLazyPart(loadPreview)
  const { part: cannedList } = useLazyPart(loadCannedList, isStaff)
  const canned = useCanned(isStaff ? text : '', (reply) => {
    change(reply)
    area.current?.focus()
  })

  const handleKey = (event: KeyboardEvent) => {
    // Enter that ends an input method's word sends nothing; Safari reports it by the key code alone.
    // oxlint-disable-next-line typescript/no-deprecated -- Safari has no other way to detect it
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (canned.takeKey(event)) return
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    submit()
  }
  const handleChange = ({ target }: ChangeEvent<HTMLTextAreaElement>) => {
    change(target.value)
    if (target.value.trim() === '') stopTyping()
    else noteTyping(threadKey)
  }
  const handlePaste = (event: ClipboardEvent) => {
    const file = [...event.clipboardData.files].find(({ type }) => type.startsWith('image/'))
    if (file === undefined) return
    event.preventDefault()
    onAttach(file)
  }

  return (
    <form
      className="relative border-t border-line bg-surface p-2"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {canned.options.length > 0 && cannedList !== undefined && (
        <cannedList.CannedList id={listId} options={canned.options} at={canned.at} onChoose={canned.choose} />
      )}
      {image !== null && preview !== undefined && (
        <preview.ImagePreview image={image} onRemove={() => onAttach(undefined)} />
      )}
      {topics.length > 0 && (
        <p
          role="status"
          className="mb-2 flex items-start gap-2 rounded-s bg-warn-soft px-3 py-1.5 text-xs font-medium text-warn"
        >
          <TriangleAlert aria-hidden size={14} className="mt-px shrink-0" />
          {topics.map((topic) => chatTexts.warnings[topic]).join(' ')}
        </p>
      )}
      {tooLong && (
        <p role="alert" className="mb-1 px-2 text-xs text-down">
          {chatTexts.tooLong(formatCount(MESSAGE_TEXT_MAX))}
        </p>
      )}
      <div className="flex items-end gap-1">
        <IconButton label={chatTexts.attach} disabled={isDisabled} onClick={() => picker.current?.click()}>
          <ImagePlus aria-hidden size={22} strokeWidth={1.7} />
        </IconButton>
        <ImageInput ref={picker} onPick={pick} />
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
          onChange={handleChange}
          onKeyDown={handleKey}
          onPaste={handlePaste}
          onFocus={() => {
            hadFocus.current = true
          }}
          onBlur={() => {
            if (area.current?.disabled !== true) hadFocus.current = false
          }}
          className="min-h-target flex-1 resize-none rounded-s border border-control bg-surface px-3 py-2.5 text-base leading-snug text-ink focus:border-gold disabled:border-line disabled:bg-surface-2"
        />
        <IconButton label={chatTexts.send} type="submit" disabled={!canSend} className="text-gold">
          <SendHorizontal aria-hidden size={22} strokeWidth={1.8} />
        </IconButton>
      </div>
      {isStaff && <p className="px-2 pt-1 text-xs text-ink-3">{chatTexts.cannedHint}</p>}
    </form>
  )
}

/** The canned replies that match a text beginning with a slash, and the keys that choose among them. */
function useCanned(text: string, choose: (reply: string) => void) {
  const [at, setAt] = useState(0)
  const [closedFor, setClosedFor] = useState<string>()
  const wanted = /^\/([\p{L}\p{N}]*)$/u.exec(text)?.[1]
  const options =
    wanted === undefined || closedFor === text
      ? []
      : cannedReplies.filter(({ name }) => name.startsWith(foldForSearch(wanted)))
  const current = Math.min(at, options.length - 1)
  const take = (index: number) => {
    const option = options[index]
    if (option === undefined) return
    setAt(0)
    choose(option.text)
  }
  return {
    options,
    at: current,
    active: options[current]?.name,
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

type ImageInputProps = {
  readonly ref: RefObject<HTMLInputElement | null>
  /** Always the same function. */
  readonly onPick: (file: File | undefined) => void
}

/** Drawn once: React writes an input's type and name anew with every change around it, such as the other's presence. */
const ImageInput = memo(function ImageInput({ ref, onPick }: ImageInputProps) {
  return (
    <input
      ref={ref}
      type="file"
      accept="image/png,image/jpeg,image/gif,image/webp"
      className="hidden"
      onChange={({ target }) => {
        onPick(target.files?.[0])
        target.value = ''
      }}
    />
  )
})
