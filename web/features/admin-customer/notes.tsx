import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { cleanNote } from '#domain/customer/note.ts'
import { formatDateTime } from '#web/platform/formats.ts'
import { newIdempotencyKey } from '#web/platform/http.ts'
import { useAct } from '#web/ui/use-act.ts'
import { usePrompt } from '#web/ui/use-prompt.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { useAdminRefresh } from '#web/lists/use-admin-refresh.ts'
import { FormFailure } from '#web/ui/form-failure.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.tsx'
import { MoreRows } from '#web/ui/more-rows.tsx'
import { Pending } from '#web/ui/pending.tsx'
import { Form } from '#web/ui/field.tsx'
import { adminCustomerTexts as texts } from './admin-customer-texts.ts'
import { addNote, notesQuery } from './api.ts'

export type NotesProps = {
  readonly userId: string
  /** Admins neither read nor write notes about themselves. */
  readonly isSelf: boolean
  readonly mayWrite: boolean
}

/** The staff notes about a customer, and a form for one more (rules §4.9). */
export function Notes({ userId, isSelf, mayWrite }: NotesProps) {
  if (isSelf)
    return (
      <Card>
        <EmptyState text={texts.notesOfOneself} />
      </Card>
    )
  return (
    <div className="grid items-start gap-3 lg:grid-cols-[1fr_22rem]">
      <NoteList userId={userId} />
      <Card className="flex flex-col gap-3 max-lg:-order-1">
        {mayWrite ? <NoteForm userId={userId} /> : <p className="text-sm text-ink-2">{texts.notesReadOnly}</p>}
      </Card>
    </div>
  )
}

function NoteList({ userId }: { readonly userId: string }) {
  const query = useInfiniteQuery(notesQuery(userId))
  const notes = query.data?.pages.flatMap((page) => page.rows)
  return (
    <Card isPadded={false} className="overflow-hidden">
      {notes === undefined ? (
        <Pending query={query} className="flex flex-col gap-3 p-4" shapes={['h-12', 'h-12']} />
      ) : notes.length === 0 ? (
        <EmptyState text={texts.noNotes} />
      ) : (
        <ul className="divide-y divide-line">
          {notes.map(({ id, writtenBy, text, createdAtMs }) => (
            <li key={id} className="flex flex-col gap-1 px-4 py-3">
              <p className="flex flex-wrap justify-between gap-x-3 text-dense text-ink-3 tabular-nums">
                <span className="font-medium text-ink-2">{writtenBy.username}</span>
                {formatDateTime(createdAtMs)}
              </p>
              <p dir="auto" className="text-sm [overflow-wrap:anywhere] whitespace-pre-line">
                {text}
              </p>
            </li>
          ))}
        </ul>
      )}
      <MoreRows query={query} label={texts.more} />
    </Card>
  )
}

function NoteForm({ userId }: { readonly userId: string }) {
  const refresh = useAdminRefresh('users', 'audit')
  const [noteId, setNoteId] = useState(newIdempotencyKey)
  const note = usePrompt((text) => (cleanNote(text) === null ? texts.noteRequired : undefined))
  const { start, isBusy, failure } = useAct({
    failText: texts.noteFailed,
    run: async () => {
      await addNote(userId, noteId, note.text).finally(refresh)
      note.set('')
      setNoteId(newIdempotencyKey())
      toast.success(texts.noteSaved)
    },
  })
  return (
    <Form noValidate onSubmit={() => note.check() && start()} className="flex flex-col gap-3">
      <TextArea
        {...note.field}
        label={texts.newNote}
        hint={texts.notesHint}
        rows={4}
        required
        readOnly={isBusy}
        onChange={(event) => {
          note.set(event.currentTarget.value)
          // A retry repeats the id, so that the note is stored once. A changed text is a note of its own.
          setNoteId(newIdempotencyKey())
        }}
        textClassName="md:text-sm"
      />
      <FormFailure message={failure} />
      <Button type="submit" variant="outline" isBusy={isBusy}>
        {texts.saveNote}
      </Button>
    </Form>
  )
}
