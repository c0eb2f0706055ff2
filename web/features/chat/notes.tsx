import { useInfiniteQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ChatNote } from '#contract/chat-notes.ts'
import { cleanText, type Conversation, MESSAGE_TEXT_MAX } from '#domain/chat/conversation.ts'
import { dayMinuteText } from '#web/platform/day-minute.ts'
import { formatCount } from '#web/platform/formats.ts'
import { newIdempotencyKey } from '#web/platform/http.ts'
import { refresh } from '#web/platform/query-client.ts'
import { foldForSearch } from '#domain/search-text.ts'
import { onServerEvent } from '#web/platform/socket.ts'
import { useAct } from '#web/ui/use-act.ts'
import { adminKeys } from '#web/lists/admin-keys.ts'
import { useShortcuts } from '#web/lists/shortcuts.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { FormFailure } from '#web/ui/form-failure.tsx'
import { Form } from '#web/ui/field.tsx'
import { Lock } from '#web/ui/icons/lock.tsx'
import { ChoiceList, useChoices } from './choice-list.tsx'
import { endsWord } from '#web/platform/ends-word.ts'
import { noteDraft } from './drafts.ts'
import { LinkedText } from './linked-text.tsx'
import { addNote, notesKey, notesQuery, readNotes } from './notes-api.ts'
import { pressedPillClass } from './chat-frame.tsx'
import { notesTexts as texts } from './notes-texts.ts'
import { useChatSession } from './use-chat.ts'

/** The notes are refetched at this interval in case a socket event is lost. */
const refetchMs = 30_000

/** Keeps the notes since `sinceMs` (null: all notes) up to date, and marks mentions of the user as seen. */
export function useNotes(conversationId: string, sinceMs: number | null) {
  const query = useInfiniteQuery({
    ...notesQuery(conversationId),
    refetchOnMount: 'always',
    refetchInterval: refetchMs,
  })
  useEffect(
    () =>
      onServerEvent('note_added', (added) => {
        if (added.conversationId === conversationId) void refresh(notesKey(conversationId))
      }),
    [conversationId],
  )

  const { data, dataUpdatedAt, hasNextPage, isFetching, isError, fetchNextPage } = query
  const oldestMs = data?.pages.at(-1)?.rows.at(-1)?.createdAtMs ?? 0
  // After a failure the next refetch comes first, so that no page is asked for over and over.
  const isShort = hasNextPage && !isFetching && !isError && oldestMs > (sinceMs ?? 0)
  useEffect(() => {
    if (isShort) void fetchNextPage()
  }, [isShort, fetchNextPage])

  const newestId = data?.pages[0]?.rows[0]?.id
  const [failedAtMs, setFailedAtMs] = useState<number>()
  const pause = useEffectEvent(() => setFailedAtMs(dataUpdatedAt))
  /** True after a failure to mark mentions as seen. The next refetch ends the pause, and the marking is tried again. */
  const isPaused = failedAtMs === dataUpdatedAt
  useEffect(() => {
    if (newestId === undefined || isPaused) return
    const read = () => {
      if (document.visibilityState !== 'visible') return
      readNotes(conversationId, newestId).then(() => refresh(adminKeys.attention), pause)
    }
    read()
    document.addEventListener('visibilitychange', read)
    return () => document.removeEventListener('visibilitychange', read)
  }, [conversationId, newestId, isPaused])
  return query
}

export type NotesBetweenProps = {
  readonly conversationId: string
  /** When the message above was sent, or null to include every note before the message below. */
  readonly fromMs: number | null
  /** When the message below was sent, or null to include every note after the message above. */
  readonly untilMs: number | null
}

export function NotesBetween({ conversationId, fromMs, untilMs }: NotesBetweenProps) {
  const { data } = useInfiniteQuery(notesQuery(conversationId))
  const notes = (data?.pages ?? [])
    .flatMap(({ rows }) => rows)
    .filter(({ createdAtMs }) => createdAtMs >= (fromMs ?? 0) && createdAtMs < (untilMs ?? Number.POSITIVE_INFINITY))
  return notes.toReversed().map((note) => <Note key={note.id} note={note} />)
}

function Note({ note: { writtenBy, text, mentions, isNews, createdAtMs } }: { readonly note: ChatNote }) {
  return (
    <div
      role="note"
      aria-label={texts.by(writtenBy.username)}
      className="mx-4 mt-3 rounded-m border border-dashed border-gold bg-gold-soft px-3 py-2 text-sm"
    >
      <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-xs text-ink-2">
        <span className="flex items-center gap-1 font-semibold text-gold">
          <Lock aria-hidden size={12} strokeWidth={2} />
          {texts.title}
        </span>
        <bdi className="font-medium [overflow-wrap:anywhere]">{writtenBy.username}</bdi>
        <span className="tabular-nums">{dayMinuteText(createdAtMs)}</span>
        {mentions.length > 0 && (
          <span className="[overflow-wrap:anywhere]">
            {texts.mentions(mentions.map(({ username }) => username).join(', '))}
          </span>
        )}
        {isNews && <Badge tone="info">{texts.isNews}</Badge>}
      </p>
      <p dir="auto" className="mt-1 [overflow-wrap:anywhere] whitespace-pre-wrap">
        <LinkedText text={text} />
      </p>
    </div>
  )
}

export type NoteModeProps = {
  readonly conversationId: string
  readonly sinceMs: number | null
  readonly isNoting: boolean
  readonly onChange: (isNoting: boolean) => void
  readonly colleagues: readonly Colleague[]
}

export function NoteMode({ conversationId, sinceMs, isNoting, onChange, colleagues }: NoteModeProps) {
  const { snapshot, typedIn } = useChatSession()
  const query = useNotes(conversationId, sinceMs)
  const message = useRef<HTMLButtonElement>(null)
  useShortcuts({
    n: (event) => {
      event.preventDefault()
      onChange(true)
    },
    r: (event) => {
      if (!isNoting) return
      event.preventDefault()
      flushSync(() => onChange(false))
      document.querySelector<HTMLElement>('textarea')?.focus()
    },
  })
  const mode = (isNote: boolean, label: string) => (
    <button
      ref={isNote ? undefined : message}
      type="button"
      aria-pressed={isNoting === isNote}
      onClick={() => onChange(isNote)}
      className={pressedPillClass}
    >
      {label}
    </button>
  )
  return (
    <>
      <div
        role="group"
        aria-label={texts.modes}
        className="flex min-h-10 flex-wrap items-center gap-1.5 border-t border-line bg-surface px-3"
      >
        {mode(false, texts.message)}
        {mode(true, !isNoting && typedIn(noteDraft(conversationId)) !== '' ? texts.noteWithDraft : texts.note)}
        {query.isError && query.data === undefined && (
          <span role="alert" className="text-xs text-down">
            {texts.loadFailed}
          </span>
        )}
      </div>
      {isNoting && (
        <NoteField
          conversation={snapshot().chat.threads[conversationId]?.conversation ?? { id: conversationId }}
          colleagues={colleagues}
          onLeave={() => {
            // The message field does not get the focus: an admin who goes on typing would write to the customer.
            message.current?.focus()
            onChange(false)
          }}
        />
      )}
    </>
  )
}

type Colleague = { readonly username: string }

/** Matches, at the end of the text, an @ that begins a word, and the letters and digits after the @. */
const mentioned = /(?<=^|[^\p{L}\p{N}])@([A-Za-z0-9]*)$/u

const useMentions = (text: string, colleagues: readonly Colleague[], take: (next: string) => void) =>
  useChoices(
    text,
    mentioned,
    (wanted) => colleagues.filter(({ username }) => username.toLowerCase().startsWith(foldForSearch(wanted))),
    ({ username }, before) => take(`${before}@${username} `),
  )

/** By conversation: the last note sent, until it is stored. The same text is sent again under the same id. */
const unsaved = new Map<string, { readonly text: string; readonly noteId: string }>()

function noteIdFor(conversationId: string, text: string): string {
  const kept = unsaved.get(conversationId)
  const noteId = kept?.text === text ? kept.noteId : newIdempotencyKey()
  unsaved.set(conversationId, { text, noteId })
  return noteId
}

/** Keeps a note's text, even while another conversation is open, and empties the field when the note is saved. */
function useNoteText({ id, mergedFrom = [] }: NoteFieldProps['conversation']) {
  const { keepTyped, typedIn } = useChatSession()
  // The session moves the draft of a merged conversation only if it has its thread, unlike that of a colleague's.
  const [draft] = useState(() => mergedFrom.map(noteDraft).find(typedIn) ?? noteDraft(id))
  const [text, setText] = useState(() => typedIn(draft))
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => area.current?.focus(), [area])
  const change = (next: string) => {
    setText(next)
    keepTyped(draft, next)
  }
  const { start, ...saving } = useAct({
    failText: texts.saveFailed,
    run: async () => {
      // A merge may have taken the note along that was sent before it.
      const sentIn = mergedFrom.find((one) => unsaved.get(one)?.text === text) ?? id
      await addNote(id, noteIdFor(sentIn, text), text)
      unsaved.delete(sentIn)
      // The draft is removed here, since `onDone` does not run if another conversation has been opened meanwhile.
      if (typedIn(draft) === text) keepTyped(draft, '')
      await refresh(notesKey(id))
      return texts.saved
    },
    onDone: () => {
      setText('')
      area.current?.focus()
      const list = area.current?.closest('section')?.querySelector('[role=region]')
      list?.scrollTo({ top: list.scrollHeight })
    },
  })
  const save = () => {
    if (cleanText(text) !== null) start()
  }
  return { area, text, change, save, ...saving }
}

export type NoteFieldProps = {
  readonly conversation: Pick<Conversation, 'id' | 'mergedFrom'>
  readonly colleagues: readonly Colleague[]
  readonly onLeave: () => void
}

/** The field for a note. Enter saves, Shift+Enter inserts a line break, and Escape leaves the field. */
export function NoteField({ conversation, colleagues, onLeave }: NoteFieldProps) {
  const { area, text, change, save, isBusy, failure, answer } = useNoteText(conversation)
  const listId = useId()
  const names = useMentions(text, colleagues, (next) => {
    change(next)
    area.current?.focus()
  })
  const handleKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (endsWord(event)) return
    if (names.takeKey(event)) return
    if (event.key === 'Escape') onLeave()
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    save()
  }
  return (
    <Form className="relative border-t-2 border-gold bg-gold-soft p-2" onSubmit={save}>
      {names.options.length > 0 && (
        <ChoiceList
          id={listId}
          label={texts.colleagues}
          sign="@"
          options={names.options.map(({ username }) => ({ name: username, text: '' }))}
          at={names.at}
          onChoose={names.choose}
        />
      )}
      {text.trim().length > MESSAGE_TEXT_MAX && (
        <p role="alert" className="mb-1 px-2 text-xs text-down">
          {texts.tooLong(formatCount(MESSAGE_TEXT_MAX))}
        </p>
      )}
      <FormFailure message={failure} />
      {/* This text is for screen readers only. On screen, the saved note itself appears. */}
      <p role="status" className="sr-only">
        {text === '' && answer}
      </p>
      <textarea
        ref={area}
        rows={2}
        value={text}
        readOnly={isBusy}
        data-takes-escape
        aria-label={texts.field}
        aria-describedby={`${listId}-who`}
        aria-autocomplete="list"
        aria-controls={names.options.length > 0 ? listId : undefined}
        aria-activedescendant={names.active === undefined ? undefined : `${listId}-${names.active}`}
        placeholder={texts.placeholder}
        onChange={({ target }) => change(target.value)}
        onKeyDown={handleKey}
        className="block field-sizing-content max-h-30 min-h-target w-full resize-none rounded-s border border-control bg-surface px-3 py-2.5 text-base leading-snug text-ink focus:border-gold"
      />
      <div className="flex flex-wrap items-center justify-between gap-2 px-1 pt-1.5">
        <p id={`${listId}-who`} className="flex items-center gap-1 text-xs font-medium text-gold">
          <Lock aria-hidden size={12} strokeWidth={2} />
          {texts.staffOnly}
        </p>
        <Button type="submit" size="sm" variant="outline" isBusy={isBusy} disabled={cleanText(text) === null}>
          {texts.save}
        </Button>
      </div>
    </Form>
  )
}
