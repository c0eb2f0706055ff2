import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { chatEndpoints } from '#contract/chat.ts'
import { CHANGE_WITHIN_MS, isChangeable, quoteOf } from '#domain/chat/change.ts'
import type { Quote } from '#domain/chat/conversation.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { formatMinute } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { ActDialog } from '#web/ui/act-dialog.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { Ellipsis } from '#web/ui/icons/ellipsis.tsx'
import { RotateCw } from '#web/ui/icons/rotate-cw.tsx'
import { Trash2 } from '#web/ui/icons/trash-2.tsx'
import { X } from '#web/ui/icons/x.tsx'
import { Menu, type MenuItem } from '#web/ui/menu.tsx'
import { toast } from '#web/ui/toast.tsx'
import { actTexts } from './act-texts.ts'
import { changedTexts } from './changed-texts.ts'
import { chatTexts } from './chat-texts.ts'
import type { Picked } from './chat-store.ts'
import type { ShownMessage } from './rows.ts'
import { useChatSession } from './use-chat.ts'

/** Shows the menu beside a stored message. Edit and retract are offered only for a recent own message (rules §7.15). */
export function MessageMenu({ message }: { readonly message: ShownMessage }) {
  const { pick } = useChatSession()
  const [nowMs, setNowMs] = useState(0)
  const { id, seq, isOwn, isRetracted, disputeId, kind, content, file, sender, sentAtMs } = message
  if (id === null || seq === null || isRetracted) return null
  const isInTime = isOwn && nowMs < sentAtMs + CHANGE_WITHIN_MS
  const may = (change: 'edit' | 'retract') =>
    isInTime && isChangeable({ kind, ...(file !== null && { file }), ...(disputeId !== null && { disputeId }) }, change)
  const picks = (is: Picked['is'], label: string): MenuItem => ({
    id: is,
    label,
    onSelect: () => pick({ is, id, content, quoted: quoteOf({ seq, sender, kind, content }) }),
    ...(is === 'retract' && { tone: 'danger' }),
  })
  return (
    <Menu
      align={isOwn ? 'end' : 'start'}
      onOpen={() => setNowMs(serverNowMs())}
      trigger={
        <button
          type="button"
          aria-label={actTexts.acts(isOwn ? chatTexts.you : sender.username, formatMinute(sentAtMs))}
          className="relative grid size-8 shrink-0 place-items-center rounded-pill text-ink-3 opacity-0 transition-opacity group-hover:opacity-100 before:absolute before:-inset-1.5 hover:bg-surface-press focus-visible:opacity-100 data-[state=open]:opacity-100 [@media(hover:none)]:opacity-100"
        >
          <Ellipsis aria-hidden size={16} strokeWidth={1.8} />
        </button>
      }
      groups={[
        {
          id: 'acts',
          items: [
            picks('answer', actTexts.answer),
            ...(kind === 'text' && file === null
              ? [{ id: 'copy', label: actTexts.copy, onSelect: () => void copy(content) }]
              : []),
            ...(may('edit') ? [picks('edit', actTexts.edit)] : []),
            ...(may('retract') ? [picks('retract', actTexts.retract)] : []),
          ],
        },
      ]}
    />
  )
}

async function copy(text: string): Promise<void> {
  try {
    // Throws without https, where `navigator.clipboard` is missing.
    await navigator.clipboard.writeText(text)
    toast.success(actTexts.copied)
  } catch {
    toast.error(actTexts.copyFailed)
  }
}

type FailedProps = {
  readonly message: ShownMessage
  readonly onSendAgain: (failedId: string) => void
}

export function Failed({ message: { clientMessageId, failure }, onSendAgain }: FailedProps) {
  const { discard } = useChatSession()
  return (
    <span className="flex flex-wrap items-center justify-end gap-x-1 text-xs">
      <span className="text-down">{failure ?? chatTexts.failed}</span>
      <button
        type="button"
        onClick={() => onSendAgain(clientMessageId)}
        className="inline-flex min-h-8 items-center gap-1 rounded-s px-2 font-semibold text-gold hover:bg-surface-press"
      >
        <RotateCw aria-hidden size={14} />
        {chatTexts.sendAgain}
      </button>
      <button
        type="button"
        onClick={() => discard(clientMessageId)}
        className="inline-flex min-h-8 items-center gap-1 rounded-s px-2 text-ink-2 hover:bg-surface-press"
      >
        <Trash2 aria-hidden size={14} />
        {chatTexts.discard}
      </button>
    </span>
  )
}

const textOf = ({ kind, text }: Quote): string =>
  kind === 'image' ? chatTexts.image : kind === 'retracted' ? changedTexts.retracted : text

/** Shows the quote above an answer. Pressing the quote scrolls to the quoted message. */
export function QuotedMessage({ quoted, onGo }: { readonly quoted: Quote; readonly onGo: () => void }) {
  return (
    <button
      type="button"
      onClick={({ currentTarget }) => {
        // The list gets the focus, because this button is removed when its row leaves the screen.
        currentTarget.closest<HTMLElement>('[role=region]')?.focus({ preventScroll: true })
        onGo()
      }}
      className="block size-full rounded-s border-l-2 border-line-strong bg-surface-press px-2 text-left text-xs text-ink-2"
    >
      <span className="sr-only">{actTexts.quoted} </span>
      <bdi className="block truncate font-semibold">{quoted.username}</bdi>
      <span dir="auto" className="block truncate">
        {textOf(quoted)}
      </span>
    </button>
  )
}

export function PickedMessage({ picked }: { readonly picked: Picked }) {
  const { pick, takeChanged } = useChatSession()
  const { id, is } = picked
  if (is !== 'retract') return <PickedBar key={id + is} picked={picked} />
  return (
    <ActDialog
      title={actTexts.retractTitle}
      description={actTexts.retractText}
      confirmLabel={actTexts.retract}
      cancelLabel={commonTexts.cancel}
      tone="danger"
      run={async () => takeChanged(await callEndpoint(chatEndpoints.retractMessage, { params: { id } }))}
      failText={actTexts.retractFailed}
      onClose={() => pick(null)}
    />
  )
}

/** Shows above the message field that a message is being edited or answered. Escape in the field cancels the act. */
function PickedBar({ picked: { is, quoted } }: { readonly picked: Picked }) {
  const { pick } = useChatSession()
  const bar = useRef<HTMLDivElement>(null)
  const giveUp = useEffectEvent((event: KeyboardEvent) => {
    const isInField =
      event.target instanceof HTMLTextAreaElement && event.target.form === bar.current?.nextElementSibling
    if (event.key === 'Escape' && !event.defaultPrevented && isInField) pick(null)
  })
  // This bar makes the list shorter, so the list scrolls by the bar's height to keep the last messages in view.
  useLayoutEffect(() => {
    const list = bar.current?.closest('section')?.querySelector('[role=region]')
    list?.scrollBy(0, bar.current?.offsetHeight ?? 0)
  }, [])
  useEffect(() => {
    const beside = bar.current?.parentElement
    // The field is looked up at each call, because a new field with the draft replaces it when an edit ends.
    const focus = () => beside?.querySelector('textarea')?.focus()
    focus()
    document.addEventListener('keydown', giveUp)
    return () => {
      document.removeEventListener('keydown', giveUp)
      focus()
    }
  }, [])
  const isEdit = is === 'edit'
  const title = isEdit ? actTexts.editing : actTexts.answering(quoted.username)
  return (
    <div
      ref={bar}
      role="group"
      aria-label={title}
      className="flex items-center gap-2 border-t border-line bg-surface pt-1 pr-2 pl-4 text-xs text-ink-2"
    >
      <span className="min-w-0 flex-1 border-l-2 border-gold pl-2">
        <span className="block truncate font-semibold text-ink">{title}</span>
        <span dir="auto" className="block truncate">
          {isEdit ? actTexts.editHint : textOf(quoted)}
        </span>
      </span>
      <IconButton
        label={isEdit ? actTexts.giveUpEdit : actTexts.giveUpAnswer}
        onClick={() => pick(null)}
        className="text-ink-3"
      >
        <X aria-hidden size={18} />
      </IconButton>
    </div>
  )
}

/** Keeps the distance to the list's end when the list's height changes, such as when a bar above the field appears. */
export function EndInPlace({ scroller }: { readonly scroller: RefObject<HTMLElement | null> }) {
  useEffect(() => {
    const list = scroller.current
    if (list === null) return
    const belowView = () => list.scrollHeight - list.scrollTop - list.clientHeight
    let [height, left] = [list.clientHeight, belowView()]
    const handleScroll = () => {
      left = belowView()
    }
    const observer = new ResizeObserver(() => {
      if (list.clientHeight !== height) list.scrollTop += belowView() - left
      height = list.clientHeight
    })
    observer.observe(list)
    list.addEventListener('scroll', handleScroll)
    return () => {
      observer.disconnect()
      list.removeEventListener('scroll', handleScroll)
    }
  }, [scroller])
  return null
}
