import { draftKey, isDraft, type Thread } from '#domain/chat/thread.ts'
import type { ChatDeps } from './chat-deps.ts'
import type { ChatStore } from './chat-store.ts'

/** A thread's text and its file are two entries, so that typing does not store the file again. */
type Draft = { readonly key: string } & ({ readonly text: string } | { readonly file: File })

const ofNote = 'note:'
/** Returns the draft key of a note. No thread has such a key, so a note cannot be sent as a message. */
export const noteDraft = (conversationId: string) => `${ofNote}${conversationId}`

export type Drafts = ReturnType<typeof createDrafts>

/** Returns the conversation that has replaced the draft thread or merged conversation with this key. */
const createdFrom = (key: string, threads: readonly Thread[]): Thread | undefined =>
  threads.find(
    (thread) =>
      !isDraft(thread) &&
      (thread.conversation?.mergedFrom?.includes(key) || (thread.peer !== null && draftKey(thread.peer.id) === key)),
  )

/** Keeps drafts on this device (rules §7.8). Their texts are not in the store: each key press would render the chat. */
// oxlint-disable-next-line max-lines-per-function -- parts over one state (decision 036)
export function createDrafts({ self, entries }: Pick<ChatDeps, 'self' | 'entries'>, store: ChatStore) {
  const texts = new Map<string, string>()
  const placed = new Map<string, string>()
  let openKey: string | null = null
  /** By the key of a draft thread that was open: the conversation that took its place on screen. */
  const replacedBy = new Map<string, string>()

  function keep(id: string, draft: Draft | null): void {
    if (draft === null) void entries.removeEntry('drafts', self.id, id)
    else void entries.keepEntry('drafts', self.id, { id, ...draft })
  }

  function showImage(key: string, file: File | null): void {
    const { [key]: before, ...others } = store.snapshot().attached
    if (before !== undefined) URL.revokeObjectURL(before.previewUrl)
    const shown = file === null ? {} : { [key]: { file, previewUrl: URL.createObjectURL(file) } }
    store.update({ attached: { ...others, ...shown } })
  }

  function write(key: string, text: string): void {
    if (store.isEnded()) return
    if (text === '') texts.delete(key)
    else texts.set(key, text)
    keep(`text ${key}`, text === '' ? null : { key, text })
  }

  const append = (key: string, text: string): void => write(key, [texts.get(key), text].filter(Boolean).join('\n'))

  function attach(key: string, file: File | null): void {
    if (store.isEnded()) return
    showImage(key, file)
    keep(`image ${key}`, file === null ? null : { key, file })
  }

  function forget(key: string): void {
    write(key, '')
    attach(key, null)
  }

  function move(from: string, to: string): void {
    const text = texts.get(from)
    const image = store.snapshot().attached[from]
    if (text !== undefined) {
      write(from, '')
      append(to, text)
    }
    if (image !== undefined) {
      attach(from, null)
      attach(to, image.file)
    }
  }

  /**
   * Moves the drafts of a replaced thread to the conversation that replaced it. This conversation may be with somebody
   * else than the thread was: a message to customer care may go to a conversation that an admin holds. Drafts of a
   * conversation that was removed elsewhere are forgotten, since no screen shows them any more (rules §7.6).
   */
  function adopt(): void {
    const { chat, attached } = store.snapshot()
    // A draft thread that is gone was replaced by the thread that is open now. A conversation that is gone was not.
    if (openKey?.startsWith(draftKey('')) && chat.threads[openKey] === undefined && chat.openKey !== null)
      replacedBy.set(openKey, chat.openKey)
    ;({ openKey } = chat)
    for (const key of new Set([...texts.keys(), ...Object.keys(attached)])) {
      const isNote = key.startsWith(ofNote)
      const id = isNote ? key.slice(ofNote.length) : key
      const created =
        chat.threads[id] === undefined &&
        (createdFrom(id, Object.values(chat.threads)) ?? chat.threads[replacedBy.get(id) ?? ''])
      if (created) move(key, isNote ? noteDraft(created.key) : created.key)
      else if (created === undefined && !isNote && chat.removedThrough[id] !== undefined) forget(key)
    }
  }

  return {
    adopt,
    append,
    attach,
    move,
    write,
    textIn: (key: string): string => texts.get(key) ?? '',

    /** Fills in a text unless the user has changed the field. The text is stored only once the user changes it. */
    place(key: string, text: string): void {
      const typed = texts.get(key)
      if (typed !== undefined && typed !== placed.get(key)) return
      texts.set(key, text)
      placed.set(key, text)
    },

    forget,

    async restore(): Promise<void> {
      const kept = await entries.readEntries<Draft & { readonly id: string }>('drafts', self.id)
      if (store.isEnded()) return
      // If the user typed or chose a file during this read, that input is kept instead of the stored draft.
      for (const entry of kept)
        if ('text' in entry) texts.set(entry.key, texts.get(entry.key) ?? entry.text)
        else if (store.snapshot().attached[entry.key] === undefined) showImage(entry.key, entry.file)
    },

    end(): void {
      texts.clear()
      for (const image of Object.values(store.snapshot().attached))
        if (image !== undefined) URL.revokeObjectURL(image.previewUrl)
    },
  }
}
