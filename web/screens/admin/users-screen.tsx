import { UsersTable } from '#web/features/admin-users/users-table.tsx'
import { useMe } from '#web/features/identity/use-me.ts'
import { AdminPage } from '#web/layout/admin-page.tsx'
import { adminUserTexts as texts } from '#web/features/admin-users/admin-user-texts.ts'

export function UsersScreen() {
  const { id } = useMe()
  return (
    <AdminPage title={texts.title} subtitle={texts.subtitle} isFilled>
      <UsersTable meId={id} />
    </AdminPage>
  )
}
