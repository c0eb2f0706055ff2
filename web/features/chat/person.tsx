import type { ChatPerson } from '#domain/chat/conversation.ts'
import { chatTexts } from './chat-texts.ts'
import { Badge } from '#web/ui/badge.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ShieldCheck } from '#web/ui/icons/shield-check.tsx'
import { Monogram } from '#web/ui/monogram.tsx'

/** Marks staff. The account's role decides who gets the mark, so that no username can imitate the mark. */
export function StaffBadge() {
  return (
    <span className="inline-flex shrink-0 items-center gap-1 rounded-pill bg-gold-soft px-2 py-0.5 text-xs font-semibold text-gold">
      <ShieldCheck aria-hidden size={12} strokeWidth={2.2} />
      {chatTexts.staffBadge}
    </span>
  )
}

export function PersonName({ person, className }: { readonly person: ChatPerson; readonly className?: string }) {
  return (
    <span className={classNames('flex min-w-0 items-center gap-1.5', className)}>
      <bdi className="truncate">{person.username}</bdi>
      {person.role === 'admin' && <StaffBadge />}
    </span>
  )
}

export function Avatar({ person, isOnline }: { readonly person: ChatPerson; readonly isOnline: boolean }) {
  return (
    <span className="relative shrink-0">
      <Monogram name={person.username} tone={person.role === 'admin' ? 'gold' : 'neutral'} />
      {isOnline && (
        <span
          aria-hidden
          className="absolute right-0 bottom-0 size-3 rounded-pill border-2 border-surface bg-up-fill"
        />
      )}
    </span>
  )
}

/** Shows as many tags as fit on one line. The server sends tags only to staff. */
export const RowTags = ({ tags }: { readonly tags: readonly string[] | undefined }) => (
  <span className="mt-1 flex h-6 flex-wrap gap-1 overflow-hidden empty:hidden">
    {tags?.map((tag) => (
      <Badge key={tag}>{tag}</Badge>
    ))}
  </span>
)
