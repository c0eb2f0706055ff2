import type { StaffNote } from '#contract/customer.ts'
import { dayMinuteText } from '#web/platform/day-minute.ts'

export const ShortNotes = ({ notes }: { readonly notes: readonly StaffNote[] }) => (
  <ul className="flex flex-col gap-2">
    {notes.map(({ id, writtenBy, text, createdAtMs }) => (
      <li key={id}>
        <p dir="auto" title={text} className="line-clamp-3 [overflow-wrap:anywhere] whitespace-pre-line">
          {text}
        </p>
        <p className="text-xs text-ink-3 tabular-nums">
          {writtenBy.username} · {dayMinuteText(createdAtMs)}
        </p>
      </li>
    ))}
  </ul>
)
