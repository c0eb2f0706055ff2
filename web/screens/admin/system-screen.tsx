import { whyOf } from '#web/features/admin-attention/attention-words.ts'
import { systemTexts as texts } from '#web/features/admin-system/admin-system-texts.ts'
import { SystemParts } from '#web/features/admin-system/system-parts.tsx'
import { AdminPage } from '#web/layout/admin-page.tsx'
import { screenTitles } from '#web/platform/texts.ts'

export function SystemScreen() {
  return (
    <AdminPage title={screenTitles.adminSystem} subtitle={texts.subtitle} needs="owner">
      <SystemParts alarmText={(kind, why) => whyOf({ kind, why }) ?? ''} />
    </AdminPage>
  )
}
