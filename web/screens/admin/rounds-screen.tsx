import { prefetchRounds, RoundsTable } from '#web/features/admin-rounds/rounds-table.tsx'
import { AdminPage } from '#web/layout/admin-page.tsx'
import { adminRoundTexts as texts } from '#web/features/admin-rounds/admin-round-texts.ts'

export const prefetch = prefetchRounds

export function RoundsScreen() {
  return (
    <AdminPage title={texts.title} isFilled>
      <RoundsTable />
    </AdminPage>
  )
}
