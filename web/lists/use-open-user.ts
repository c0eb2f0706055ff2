import { useNavigate } from '@tanstack/react-router'
import { UserRound } from '#web/ui/icons/user-round.tsx'
import type { MenuItem } from '#web/ui/menu.tsx'
import { adminTableTexts as texts } from './table-texts.ts'

export function useOpenUser(): (ownerId: string) => MenuItem {
  const navigate = useNavigate()
  return (id) => ({
    id: 'user',
    label: texts.openUser,
    icon: UserRound,
    onSelect: () => void navigate({ to: '/admin/user/$id', params: { id } }),
  })
}
