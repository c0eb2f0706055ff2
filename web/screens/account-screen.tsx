import { AccountMenu } from '#web/features/account/account-menu.tsx'
import { ProfileCard } from '#web/features/account/profile-card.tsx'
import { useLogOut } from '#web/features/account/use-log-out.tsx'
import { useMe } from '#web/features/identity/use-me.ts'
import { useFreshBalance } from '#web/features/wallet/balance.ts'
import { Screen } from '#web/layout/screen.tsx'
import { accountTexts } from '#web/features/account/account-texts.ts'
import { screenTitles } from '#web/platform/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { PlayMoneyLine } from '#web/parts/play-money-line.tsx'
import { LogOut } from '#web/ui/icons/log-out.tsx'

export function AccountScreen() {
  const me = useMe()
  useFreshBalance()
  return (
    <Screen title={screenTitles.account}>
      <ProfileCard me={me} />
      <AccountMenu isStaff={me.role === 'admin'} />
      <LogOutButton userId={me.id} />
      <p className="text-center text-xs text-ink-3">
        {accountTexts.version} <span className="tabular-nums">{accountTexts.versionNumber}</span>
      </p>
      <PlayMoneyLine />
    </Screen>
  )
}

function LogOutButton({ userId }: { readonly userId: string }) {
  const { isLeaving, start, question } = useLogOut(userId)
  return (
    <>
      <Button variant="outline" isWide isBusy={isLeaving} onClick={start} className="text-down!">
        <LogOut aria-hidden size={18} strokeWidth={1.8} />
        {accountTexts.logout}
      </Button>
      {question}
    </>
  )
}
