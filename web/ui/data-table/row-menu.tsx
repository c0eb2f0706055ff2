import type { LucideIcon } from 'lucide-react'
import { Menu, type MenuGroup } from '#web/ui/menu.tsx'

export type RowMenuButtonProps = {
  /** Whose acts they are. */
  readonly label: string
  readonly icon: LucideIcon
  readonly groups: readonly MenuGroup[]
}

/** The acts at a row's end that are not frequent. */
export function RowMenuButton({ label, icon: Icon, groups }: RowMenuButtonProps) {
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={label}
          className="grid size-target shrink-0 place-items-center rounded-s border border-line-strong bg-surface text-ink transition-colors hover:bg-surface-press md:size-7"
        >
          <Icon aria-hidden size={16} strokeWidth={1.8} />
        </button>
      }
      groups={groups}
    />
  )
}
