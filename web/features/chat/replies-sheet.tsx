import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type CannedReply, chatEndpoints } from '#contract/chat.ts'
import { cleanText, MESSAGE_TEXT_MAX } from '#domain/chat/conversation.ts'
import { REPLY_NAME } from '#domain/chat/reply.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { refresh } from '#web/platform/query-client.ts'
import { useAct } from '#web/ui/use-act.ts'
import { useMay } from '#web/platform/use-may.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/dialog.tsx'
import { FormFailure } from '#web/ui/form-failure.tsx'
import { PencilLine } from '#web/ui/icons/pencil-line.tsx'
import { Trash2 } from '#web/ui/icons/trash-2.tsx'
import { Pending } from '#web/ui/pending.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { checkAll, usePrompt } from '#web/ui/use-prompt.ts'
import { Form } from '#web/ui/field.tsx'
import { repliesKey, repliesQuery } from './canned-replies.ts'
import { deskTexts as texts } from './desk-texts.ts'
import { useChatSession } from './use-chat.ts'
import { searchKey } from '#domain/search-text.ts'

export function RepliesSheet({ onClose }: { readonly onClose: () => void }) {
  const [edited, setEdited] = useState<CannedReply>()
  return (
    <Sheet onClose={onClose} title={texts.replies} description={texts.repliesHow}>
      <ReplyForm key={edited?.id ?? 'new'} edited={edited} onSaved={() => setEdited(undefined)} />
      <ReplyList onEdit={setEdited} />
    </Sheet>
  )
}

/** Converts a name to its stored form: `Hoàn điểm` becomes `hoandiem`. */
const nameOf = (given: string): string => searchKey(given).replaceAll(/[^a-z0-9]/g, '')

/** Reads the list again after a failure: an act whose answer was lost may be done (rules §3.5). */
function readAgain(): boolean {
  void refresh(repliesKey)
  return false
}

function ReplyForm({ edited, onSaved }: { readonly edited: CannedReply | undefined; readonly onSaved: () => void }) {
  const name = usePrompt((given) => (REPLY_NAME.test(nameOf(given)) ? undefined : texts.replyNameWrong), edited?.name)
  const text = usePrompt((given) => (cleanText(given) === null ? texts.replyTextWrong : undefined), edited?.text)
  const [isShared, setIsShared] = useState(edited?.isShared ?? false)
  const { start, isBusy, failure } = useAct({
    failText: texts.replyNotSaved,
    run: async () => {
      await callEndpoint(chatEndpoints.saveReply, { body: { name: nameOf(name.text), text: text.text, isShared } })
      name.set('')
      text.set('')
      setIsShared(false)
      await refresh(repliesKey)
    },
    onDone: onSaved,
    onFailure: readAgain,
  })
  return (
    <Form noValidate onSubmit={() => checkAll([name, text]) && start()} className="flex flex-col gap-3">
      <TextInput
        {...name.field}
        label={texts.replyName}
        hint={texts.replyNameHint}
        maxLength={40}
        autoCapitalize="none"
        // A reply is saved under its name, so another name would not change this reply but add a new one.
        readOnly={edited !== undefined}
      />
      <TextArea {...text.field} label={texts.replyText} hint={texts.replyTextHint} maxLength={MESSAGE_TEXT_MAX} />
      <Switch label={texts.replyShared} isOn={isShared} onChange={setIsShared} />
      <FormFailure message={failure} />
      <Button type="submit" isBusy={isBusy} className="self-end">
        {texts.saveReply}
      </Button>
    </Form>
  )
}

function ReplyList({ onEdit }: { readonly onEdit: (reply: CannedReply) => void }) {
  const query = useQuery(repliesQuery)
  if (query.data === undefined)
    return <Pending query={query} className="flex flex-col gap-2" shapes={['h-12', 'h-12']} />
  if (query.data.length === 0) return <p className="text-sm text-ink-3">{texts.noReplies}</p>
  return (
    <ul aria-label={texts.replies} className="divide-y divide-line rounded-s border border-line">
      {query.data.map((reply) => (
        <ReplyRow key={reply.id} reply={reply} onEdit={() => onEdit(reply)} />
      ))}
    </ul>
  )
}

function ReplyRow({ reply, onEdit }: { readonly reply: CannedReply; readonly onEdit: () => void }) {
  const { id, name, text, isShared, maker } = reply
  const isOwn = useChatSession().self.id === maker.id
  const mayDelete = useMay('owner') || isOwn
  const { start, isBusy, failure } = useAct({
    failText: texts.replyNotDeleted,
    run: async () => {
      await callEndpoint(chatEndpoints.deleteReply, { params: { id } })
      await refresh(repliesKey)
    },
    onFailure: readAgain,
  })
  return (
    <li className="flex flex-wrap items-center gap-x-1 py-1 pl-3 text-sm">
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-x-2">
          <span className="font-semibold text-gold">/{name}</span>
          {isShared && <Badge tone="info">{texts.sharedBy(maker.username)}</Badge>}
        </span>
        <span className="line-clamp-2 [overflow-wrap:anywhere] text-ink-2">{text}</span>
      </span>
      {isOwn && (
        <IconButton label={texts.editReply(name)} onClick={onEdit}>
          <PencilLine aria-hidden size={16} strokeWidth={1.8} />
        </IconButton>
      )}
      {mayDelete && (
        <IconButton label={texts.deleteReply(name)} disabled={isBusy} onClick={() => start()}>
          <Trash2 aria-hidden size={16} strokeWidth={1.8} />
        </IconButton>
      )}
      <FormFailure message={failure} />
    </li>
  )
}
