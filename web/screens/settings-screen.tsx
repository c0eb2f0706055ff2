import { Link } from '@tanstack/react-router'
import { useLogOut } from '#web/features/account/use-log-out.tsx'
import { OwnFactors } from '#web/features/admin-security/own-factors.tsx'
import { availableSignals } from '#web/features/game/result-signals.ts'
import { SignalSwitch } from '#web/features/game/signal-switch.tsx'
import { useMe } from '#web/features/identity/use-me.ts'
import { ReminderChoice } from '#web/features/limits/reminder-choice.tsx'
import { PushSettings } from '#web/features/push/push-settings.tsx'
import { pushTexts } from '#web/features/push/push-texts.ts'
import { ChartViewChoice } from '#web/features/settings/chart-view-choice.tsx'
import { CloseAccount } from '#web/features/settings/close-account.tsx'
import { Devices } from '#web/features/settings/devices.tsx'
import { DownloadData } from '#web/features/settings/download-data.tsx'
import { settingsTexts } from '#web/features/settings/settings-texts.ts'
import { FreshFactor } from '#web/layout/fresh-factor.tsx'
import { TitledCard } from '#web/ui/titled-card.tsx'
import { SubScreen } from '#web/layout/sub-screen.tsx'
import { formatAmount } from '#web/platform/formats.ts'
import { commonTexts, screenTitles } from '#web/platform/texts.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { useSyncExternalStore } from 'react'
import { themeTexts } from '#web/ui/theme-texts.ts'
import { readThemeChoice } from '#web/platform/storage.ts'
import { chooseTheme, onThemeChanged } from '#web/platform/theme.ts'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { useChatSound } from '#web/features/chat/sound.ts'

export function SettingsScreen() {
  const me = useMe()
  const isPlayer = me.role === 'player'
  return (
    <SubScreen title={screenTitles.settings} back="/account">
      <TitledCard title={settingsTexts.look}>
        <ThemeToggle />
        {isPlayer && <ChartViewChoice />}
      </TitledCard>
      {isPlayer && (
        <TitledCard title={pushTexts.title}>
          <PushSettings />
        </TitledCard>
      )}
      <Signals isPlayer={isPlayer} />
      {isPlayer && (
        <TitledCard title={settingsTexts.breaks}>
          <ReminderChoice />
          <Link to="/account/limits" className={buttonClass({ variant: 'outline', isWide: true })}>
            {settingsTexts.toLimits}
          </Link>
        </TitledCard>
      )}
      {isPlayer && <OwnFactors isPlayer />}
      <SignedInDevices userId={me.id} />
      <DownloadData />
      {isPlayer && <CloseAccount username={me.username} balance={pointsText(me.balanceMinor)} />}
      {isPlayer && <FreshFactor />}
    </SubScreen>
  )
}

const pointsText = (amountMinor: bigint) => `${formatAmount(amountMinor)} ${commonTexts.points}`

function SignedInDevices({ userId }: { readonly userId: string }) {
  const { isLeaving, start, question } = useLogOut(userId)
  return (
    <>
      <Devices isLeaving={isLeaving} onSignOutHere={start} />
      {question}
    </>
  )
}

function Signals({ isPlayer }: { readonly isPlayer: boolean }) {
  const [hasChatSound, setChatSound] = useChatSound()
  const canVibrate = availableSignals().includes('vibration')
  return (
    <TitledCard title={settingsTexts.signals}>
      <div className="flex flex-col divide-y divide-line">
        {isPlayer && <SignalSwitch signal="sound" label={settingsTexts.resultSound} />}
        {isPlayer && canVibrate && <SignalSwitch signal="vibration" label={settingsTexts.resultVibration} />}
        <Switch label={settingsTexts.chatSound} isOn={hasChatSound} onChange={setChatSound} />
      </div>
      <p className="text-xs text-ink-3">
        <span>{settingsTexts.signalsHint}</span>
        {isPlayer && !canVibrate && <span>{` ${settingsTexts.noVibration}`}</span>}
      </p>
    </TitledCard>
  )
}

function ThemeToggle() {
  const choice = useSyncExternalStore(onThemeChanged, readThemeChoice)
  return (
    <SegmentedControl
      label={themeTexts.legend}
      look="bar"
      value={choice}
      onChange={chooseTheme}
      options={(['light', 'dark', 'system'] as const).map((value) => ({ value, label: themeTexts[value] }))}
    />
  )
}
