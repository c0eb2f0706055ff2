import { BetsTable } from '#web/features/admin-bets/bets-table.tsx'
import { AdminPage } from '#web/layout/admin-page.tsx'
import { adminBetTexts as texts } from '#web/features/admin-bets/admin-bet-texts.ts'

export function BetsScreen() {
  return (
    <AdminPage title={texts.title} isFilled>
      <BetsTable />
    </AdminPage>
  )
}
