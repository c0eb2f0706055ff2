import { Ellipsis } from '#web/ui/icons/ellipsis.tsx'
import { Menu, type MenuGroup } from '#web/ui/menu.tsx'

export function RowMenuButton({ label, groups }: { readonly label: string; readonly groups: readonly MenuGroup[] }) {
  if (groups.length === 0) return null
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={label}
          className="grid size-target shrink-0 place-items-center rounded-s border border-line-strong bg-surface text-ink transition-colors hover:bg-surface-press md:size-7"
        >
          <Ellipsis aria-hidden size={16} strokeWidth={1.8} />
        </button>
      }
      groups={groups}
    />
  )
}
