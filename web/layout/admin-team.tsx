import { ChevronsUpDown, Plus } from 'lucide-react'
import { usePublicConfig } from '#web/features/identity/public-config.ts'
import { adminTexts } from './admin-texts.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Menu } from '#web/ui/menu.tsx'

/** The team switcher (spec §2): one team, named by the operator. */
export function TeamSwitcher({ isIcons }: { readonly isIcons: boolean }) {
  const config = usePublicConfig()
  const team = config?.teamName ?? commonTexts.productName
  return (
    <Menu
      align="start"
      side={isIcons ? 'right' : 'bottom'}
      trigger={
        <button
          type="button"
          className={classNames(
            'flex w-full items-center gap-2.5 rounded-s text-left transition-colors hover:bg-surface-press',
            isIcons ? 'size-9.5 justify-center' : 'min-h-12 px-2 py-1.5',
          )}
        >
          <span
            aria-hidden
            className="grid size-8 shrink-0 place-items-center rounded-s bg-gold-fill text-sm font-semibold text-on-gold"
          >
            {team.slice(0, 1)}
          </span>
          {isIcons ? (
            <span className="sr-only">
              {adminTexts.teams}: {team}
            </span>
          ) : (
            <>
              <span className="min-w-0 flex-1 leading-tight">
                <span className="sr-only">{adminTexts.teams}: </span>
                <span className="block truncate text-sm font-semibold text-ink">{team}</span>
                <span className="block text-xs text-ink-3">{adminTexts.plan}</span>
              </span>
              <ChevronsUpDown aria-hidden size={16} className="shrink-0 text-ink-3" />
            </>
          )}
        </button>
      }
      groups={[
        {
          id: 'teams',
          label: adminTexts.teams,
          items: [{ id: 'team', label: team, hint: adminTexts.plan, isChecked: true, onSelect: () => {} }],
        },
        {
          id: 'add',
          items: [
            {
              id: 'add',
              label: adminTexts.addTeam,
              hint: adminTexts.addTeamWhy,
              icon: Plus,
              isDisabled: true,
              onSelect: () => {},
            },
          ],
        },
      ]}
    />
  )
}
