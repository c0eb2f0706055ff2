import { useQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { chatTagEndpoints } from '#contract/chat-tags.ts'
import type { Conversation } from '#domain/chat/conversation.ts'
import { TAG_MAX, TAGS_MAX } from '#domain/chat/tags.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { useAct } from '#web/ui/use-act.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Form } from '#web/ui/field.tsx'
import { Plus } from '#web/ui/icons/plus.tsx'
import { X } from '#web/ui/icons/x.tsx'
import { besideTexts as texts } from './beside-texts.ts'
import { refreshElsewhere, showInSheet, tagsQuery } from './tags-api.ts'
import { useChatSession } from './use-chat.ts'

const chipClass = 'inline-flex min-h-7 max-w-full items-center rounded-pill border border-line text-xs font-medium'

/** The tags of a conversation, with controls to remove and add tags (docs/rules.md §7.18). */
export function ConversationTags({ conversation }: { readonly conversation: Conversation }) {
  const [isAdding, setIsAdding] = useState(false)
  const [given, setGiven] = useState('')
  const group = useRef<HTMLDivElement>(null)
  /** Focuses the button or field that adds a tag, which is always the last control of the group. */
  const focusAdder = () => [...(group.current?.querySelectorAll<HTMLElement>('button, input') ?? [])].at(-1)?.focus()
  const tags = conversation.desk?.tags ?? []
  const { start, isBusy, failure } = useTagChange(conversation.id, () => setGiven(''))
  const close = () => {
    setIsAdding(false)
    setGiven('')
    // By the time the timer runs, the button has replaced the field.
    setTimeout(focusAdder)
  }
  return (
    <div
      ref={group}
      role="group"
      aria-label={texts.tags}
      className="flex min-w-0 basis-full flex-wrap items-center gap-1.5"
    >
      {tags.map((tag) => (
        <span key={tag} className={classNames(chipClass, 'pl-2.5 text-ink-2')}>
          <span className="truncate">{tag}</span>
          <button
            type="button"
            aria-label={texts.removeTag(tag)}
            aria-disabled={isBusy}
            onClick={() => {
              if (isBusy) return
              start({ add: [], remove: [tag] })
              focusAdder()
            }}
            className="relative grid size-7 shrink-0 place-items-center rounded-pill text-ink-3 hover:text-ink"
          >
            <X aria-hidden size={14} />
          </button>
        </span>
      ))}
      {isAdding ? (
        <TagField
          tags={tags}
          given={given}
          onGiven={setGiven}
          onAdd={() => !isBusy && start({ add: [given], remove: [] })}
          onLeave={() => setIsAdding(false)}
          onClose={close}
        />
      ) : (
        <button
          type="button"
          aria-disabled={tags.length >= TAGS_MAX}
          onClick={() => tags.length < TAGS_MAX && setIsAdding(true)}
          className={classNames(
            chipClass,
            'gap-1 border-dashed px-2.5 text-ink-2 hover:bg-surface-press aria-disabled:text-ink-3',
          )}
        >
          <Plus aria-hidden size={14} />
          {texts.addTag}
        </button>
      )}
      <span role="alert" className="basis-full text-xs font-medium text-down empty:hidden">
        {failure}
      </span>
    </div>
  )
}

function useTagChange(id: string, onAdded: () => void) {
  const { receiveConversations } = useChatSession()
  return useAct({
    failText: texts.tagsFailed,
    run: async (body: { add: string[]; remove: string[] }) => {
      const changed = await callEndpoint(chatTagEndpoints.changeTags, { params: { id }, body })
      receiveConversations([changed])
      showInSheet(changed)
      refreshElsewhere()
      // The field is cleared only after a success, so that it keeps a refused tag.
      if (body.add.length > 0) onAdded()
    },
  })
}

type TagFieldProps = {
  readonly tags: readonly string[]
  readonly given: string
  readonly onGiven: (given: string) => void
  readonly onAdd: () => void
  readonly onLeave: () => void
  readonly onClose: () => void
}

/** A field for a new tag. The `datalist` offers tags that are in use. */
function TagField({ tags, given, onGiven, onAdd, onLeave, onClose }: TagFieldProps) {
  const listId = useId()
  const { data = [] } = useQuery(tagsQuery)
  return (
    <Form className="flex min-w-0 flex-1 basis-32" onSubmit={() => (given.trim() === '' ? onClose() : onAdd())}>
      <input
        // The field appears when the admin presses the button that adds a tag, so the field takes the focus.
        ref={focusOnce}
        list={listId}
        aria-label={texts.newTag}
        placeholder={texts.newTag}
        maxLength={TAG_MAX}
        autoComplete="off"
        autoCapitalize="none"
        enterKeyHint="done"
        value={given}
        onChange={({ target }) => onGiven(target.value)}
        onBlur={() => given === '' && onLeave()}
        onKeyDown={({ key }) => key === 'Escape' && onClose()}
        className="min-h-7 w-full min-w-0 rounded-pill border border-control bg-surface px-2.5 text-base text-ink md:text-xs"
      />
      <datalist id={listId}>
        {data
          .filter(({ tag }) => !tags.includes(tag))
          .map(({ tag }) => (
            <option key={tag} value={tag}>
              {tag}
            </option>
          ))}
      </datalist>
    </Form>
  )
}

const focusOnce = (field: HTMLInputElement | null) => field?.focus()
