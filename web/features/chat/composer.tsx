import { type ClipboardEvent, type KeyboardEvent, memo, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { MESSAGE_TEXT_MAX } from '#domain/chat/conversation.ts'
import { isBlank } from '#domain/blank.ts'
import type { Thread } from '#domain/chat/thread.ts'
import { changedTexts } from './changed-texts.ts'
import { chatTexts } from './chat-texts.ts'
import { formatCount } from '#web/platform/formats.ts'
import { useLazyPart } from '#web/platform/lazy-part.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Form } from '#web/ui/field.tsx'
import { Paperclip } from '#web/ui/icons/paperclip.tsx'
import { SendHorizontal } from '#web/ui/icons/send-horizontal.tsx'
import { TriangleAlert } from '#web/ui/icons/triangle-alert.tsx'
import { careTopicsOf } from './care-words.ts'
import type { CannedProps } from './canned-list.tsx'
import { endsWord } from '#web/platform/ends-word.ts'
import type { Attachment } from './chat-store.ts'
import { useChatSession } from './use-chat.ts'

const loadCanned = () => import('./canned-list.tsx')

/** The greatest height of the field (spec §9.4). */
const textareaPx = 120

export type ComposerProps = {
  readonly thread: Thread
  readonly isConnected: boolean
  /** True for a player whose admin can't answer any more, and for an admin if a colleague holds the conversation. */
  readonly isClosed: boolean
  readonly isStaff: boolean
  readonly file: Attachment | null
  /** The text of the message that is being edited, or null if none is. The thread's draft is kept meanwhile. */
  readonly edited: string | null
  readonly parts: typeof import('./pane-parts.tsx') | undefined
}

const isTooLong = (text: string): boolean => text.trim().length > MESSAGE_TEXT_MAX

/** The message field. Enter sends, and Shift+Enter inserts a line break (spec §5.4). */
export function Composer({ thread, isConnected, isClosed, isStaff, file, edited, parts }: ComposerProps) {
  const { key: threadKey } = thread
  const { attach } = useChatSession()
  const isDisabled = !isConnected || isClosed
  const { text, change, type, send } = useDraft(threadKey, file, edited, isClosed)
  const canSend = !isDisabled && !isTooLong(text) && (!isBlank(text) || file !== null)
  const { area, followFocus } = useArea(text, isDisabled)
  const submit = () => {
    if (canSend && send()) area.current?.focus()
  }

  const { part: cannedPart } = useLazyPart(loadCanned, isStaff)
  const takeKey: CannedProps['takeKey'] = useRef(null)
  const handleKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (endsWord(event) || takeKey.current?.(event)) return
    // Escape leaves the field, because the staff's shortcuts work only outside it.
    if (isStaff && event.key === 'Escape') event.currentTarget.blur()
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    submit()
  }
  return (
    <Form className="relative border-t border-line bg-surface p-2" onSubmit={submit}>
      {cannedPart !== undefined && (
        <cannedPart.CannedList text={text} thread={thread} area={area} takeKey={takeKey} onChoose={change} />
      )}
      {file !== null && parts !== undefined && (
        <parts.FilePreview chosen={file} onRemove={() => void attach(threadKey, null)} />
      )}
      <Warnings text={text} />
      {/* In a narrow pane the field takes a row of its own. */}
      <div className="flex flex-wrap items-end justify-between gap-1 @min-[22rem]:flex-nowrap">
        {edited === null && <FileButton threadKey={threadKey} isDisabled={isDisabled} />}
        <textarea
          ref={area}
          rows={1}
          value={text}
          disabled={isDisabled}
          aria-label={chatTexts.messageLabel}
          aria-autocomplete={isStaff ? 'list' : undefined}
          placeholder={isConnected ? chatTexts.messagePlaceholder : chatTexts.connecting}
          enterKeyHint="send"
          onChange={({ target }) => type(target.value)}
          onKeyDown={handleKey}
          onPaste={(event) => takePasted(event, (pasted) => void attach(threadKey, pasted))}
          {...followFocus}
          className="order-first min-h-target min-w-0 basis-full resize-none @min-[22rem]:order-none @min-[22rem]:flex-1 rounded-s border border-control bg-surface px-3 py-2.5 text-base leading-snug text-ink focus:border-gold disabled:border-line disabled:bg-surface-2"
        />
        <IconButton
          label={edited === null ? chatTexts.send : changedTexts.save}
          type="submit"
          disabled={!canSend}
          className="ml-auto text-gold"
        >
          <SendHorizontal aria-hidden size={22} strokeWidth={1.8} />
        </IconButton>
      </div>
      {isStaff && (
        <p className="flex items-center justify-between gap-2 px-2 pt-1 text-xs text-ink-3">
          {chatTexts.cannedHint}
          {cannedPart !== undefined && <cannedPart.RepliesButton />}
        </p>
      )}
    </Form>
  )
}

/** Holds the field's text. The session keeps it, too: for a new message as a draft, for an edit until the edit ends. */
function useDraft(threadKey: string, file: Attachment | null, edited: string | null, isClosed: boolean) {
  const { attach, editIn, keepEdit, keepTyped, noteTyping, saveEdit, sendFile, sendText, stopTyping, typedIn } =
    useChatSession()
  const read = () => (edited === null ? typedIn(threadKey) : (editIn(threadKey) ?? edited))
  const [text, setText] = useState(read)
  const [wasClosed, setWasClosed] = useState(isClosed)
  if (wasClosed !== isClosed) {
    setWasClosed(isClosed)
    // The field reads the draft again, because a text that the server refused with `HOLDER_GONE` is a draft again.
    setText(read())
  }
  const change = (next: string) => {
    setText(next)
    if (edited === null) keepTyped(threadKey, next)
    else keepEdit(next)
  }
  const type = (next: string) => {
    change(next)
    if (isBlank(next)) stopTyping()
    else noteTyping(threadKey)
  }
  /** Saves the edit, or sends the file and the text. Returns true if the field should get the focus again. */
  const send = () => {
    if (edited !== null) return void saveEdit(text)
    if (file !== null) {
      if (!sendFile(threadKey, file.file)) return false
      void attach(threadKey, null)
    }
    if (!isBlank(text) && sendText(threadKey, text)) change('')
    return true
  }
  return { text, change, type, send }
}

function takePasted(event: ClipboardEvent, take: (file: File) => void): void {
  const file = [...event.clipboardData.files].find(({ type }) => /^image|\/pdf$/.test(type))
  // Spreadsheet cells are copied as a text and an image, but only their text is wanted.
  if (file === undefined || !['', file.name].includes(event.clipboardData.getData('text/plain').trim())) return
  event.preventDefault()
  take(file)
}

/** Sets the field's height, and gives the focus back to a field that was disabled while it had the focus. */
function useArea(text: string, isDisabled: boolean) {
  const area = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    const element = area.current
    if (element === null) return
    element.style.height = 'auto'
    // A long placeholder must not make an empty field higher than one line.
    if (text === '') return
    element.style.height = `${Math.min(element.scrollHeight + 2, textareaPx)}px`
    element.style.overflowY = element.scrollHeight > textareaPx ? 'auto' : 'hidden'
  }, [text])

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

/** Warns about a text that names money, accounts or secrets (rules §7.9) or is too long. */
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

type FileButtonProps = { readonly threadKey: string; readonly isDisabled: boolean }

/** Memoised, since React rewrites an input's type and name in the DOM at each render, and the chat renders often. */
const FileButton = memo(function FileButton({ threadKey, isDisabled }: FileButtonProps) {
  const { attach } = useChatSession()
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton label={chatTexts.attach} disabled={isDisabled} onClick={() => picker.current?.click()}>
        <Paperclip aria-hidden size={22} strokeWidth={1.7} />
      </IconButton>
      <input
        ref={picker}
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp,application/pdf"
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
