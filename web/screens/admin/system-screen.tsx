import { whyOf } from '#web/features/admin-attention/attention-words.ts'
import { systemTexts as texts } from '#web/features/admin-system/admin-system-texts.ts'
import { SystemParts } from '#web/features/admin-system/system-parts.tsx'
import { AdminPage } from '#web/layout/admin-page.tsx'
import { adminTexts } from '#web/layout/admin-texts.ts'
import { capabilityWords } from '#contract/capability-words.ts'
import { useMay } from '#web/platform/use-may.ts'
import { screenTitles } from '#web/platform/texts.ts'
import { EmptyState } from '#web/ui/states.tsx'

/** The state of the installation. Only owners see it (rules §6.15). */
export function SystemScreen() {
  return (
    <AdminPage title={screenTitles.adminSystem} subtitle={texts.subtitle}>
      {useMay('owner') ? (
        <SystemParts alarmText={(kind, why) => whyOf({ kind, why }) ?? ''} />
      ) : (
        <EmptyState text={adminTexts.notAllowed(capabilityWords.owner)} />
      )}
    </AdminPage>
  )
}
