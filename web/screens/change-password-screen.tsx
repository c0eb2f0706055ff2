import { Link, useNavigate } from '@tanstack/react-router'
import { useLogOut } from '#web/features/account/use-log-out.tsx'
import { ChangePasswordForm } from '#web/features/identity/change-password-form.tsx'
import { useMe } from '#web/features/identity/use-me.ts'
import { Screen } from '#web/layout/screen.tsx'
import { useReturn } from '#web/layout/use-return.ts'
import { formatDateTime } from '#web/platform/formats.ts'
import { refresh } from '#web/platform/query-client.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'
import { changePasswordTexts } from '#web/features/identity/change-password-texts.ts'
import { commonTexts, screenTitles } from '#web/platform/texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ChevronLeft } from '#web/ui/icons/chevron-left.tsx'
import { toast } from '#web/ui/toast.tsx'

export function ChangePasswordScreen() {
  const me = useMe()
  const navigate = useNavigate()
  const { leave } = useReturn()
  const logOut = useLogOut(me.id)
  const finish = async () => {
    toast.success(changePasswordTexts.done)
    // Until the account is refetched, the guard would redirect back to this screen after a forced change (rules §4.2).
    await refresh(sharedKeys.me)
    if (me.mustChangePassword) leave()
    else await navigate({ to: '/account' })
  }
  return (
    <Screen
      title={screenTitles.changePassword}
      before={
        !me.mustChangePassword && (
          <Link
            to="/account"
            aria-label={commonTexts.back}
            className="grid size-target shrink-0 place-items-center rounded-s text-ink transition-colors hover:bg-surface-press"
          >
            <ChevronLeft aria-hidden size={22} />
          </Link>
        )
      }
    >
      {me.mustChangePassword && (
        <Banner tone="warn">
          <span>{`${changePasswordTexts.setByStaff} `}</span>
          {me.passwordResetAtMs !== null && (
            <span>{changePasswordTexts.setByStaffAt(formatDateTime(me.passwordResetAtMs))}</span>
          )}
        </Banner>
      )}
      <Card className="flex flex-col gap-4">
        <ChangePasswordForm username={me.username} onChanged={() => void finish()} />
        <p className="text-xs text-ink-3">{changePasswordTexts.otherSessionsEnd}</p>
      </Card>
      {/* No other screen opens until the password is changed (rules §4.2), so this screen has a logout button. */}
      {me.mustChangePassword && (
        <Button variant="outline" isBusy={logOut.isLeaving} onClick={logOut.start}>
          {changePasswordTexts.logOut}
        </Button>
      )}
      {logOut.question}
    </Screen>
  )
}
