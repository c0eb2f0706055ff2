import { usePublicConfig } from '#web/features/identity/public-config.ts'
import { SidebarTrigger } from './admin-sidebar-trigger.tsx'
import { adminTexts } from './admin-texts.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { Plus } from '#web/ui/icons/plus.tsx'
import { Menu } from '#web/ui/menu.tsx'

/** The team switcher (spec §2.6). There is only one team, which the operator names. */
export function TeamSwitcher({ isIcons }: { readonly isIcons: boolean }) {
  const config = usePublicConfig()
  const team = config?.teamName ?? commonTexts.productName
  return (
    <Menu
      align="start"
      side={isIcons ? 'right' : 'bottom'}
      trigger={
        <SidebarTrigger
          isIcons={isIcons}
          label={adminTexts.teams}
          name={team}
          detail={adminTexts.plan}
          mark={team.slice(0, 1)}
          markClass="rounded-s bg-gold-fill text-sm text-on-gold"
        />
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
