import { useLogOut } from '#web/features/account/use-log-out.tsx'
import { AlertSettings } from '#web/features/admin-attention/alert-settings.tsx'
import { securityTexts as texts } from '#web/features/admin-security/admin-security-texts.ts'
import { OwnFactors } from '#web/features/admin-security/own-factors.tsx'
import { StaffSecurity } from '#web/features/admin-security/staff-security.tsx'
import { HoursSettings } from '#web/features/chat/hours-settings.tsx'
import { useMe } from '#web/features/identity/use-me.ts'
import { Devices } from '#web/features/settings/devices.tsx'
import { AdminPage } from '#web/layout/admin-page.tsx'
import { screenTitles } from '#web/platform/texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

/** The admin's own settings; for owners, also other admins' factors and the care hours (rules §4.10, §7.17). */
export function SecurityScreen() {
  const me = useMe()
  const { isLeaving, start, question } = useLogOut(me.id)
  const mustAdd = me.mustAddFactor === true
  return (
    <AdminPage title={screenTitles.adminSecurity} subtitle={texts.subtitle}>
      {mustAdd && (
        <Banner
          tone="warn"
          action={
            <Button size="sm" variant="outline" isBusy={isLeaving} onClick={start}>
              {texts.signOut}
            </Button>
          }
        >
          {texts.mustAdd}
        </Banner>
      )}
      <div className="grid items-start gap-3 lg:grid-cols-2">
        <OwnFactors />
        {!mustAdd && <AlertSettings />}
        {!mustAdd && <Devices isLeaving={isLeaving} onSignOutHere={start} />}
        {!mustAdd && me.capabilities?.includes('owner') && (
          <>
            <StaffSecurity ownId={me.id} />
            <HoursSettings />
          </>
        )}
      </div>
      {question}
    </AdminPage>
  )
}
