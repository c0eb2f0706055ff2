import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Alert, ALERTS } from '#domain/attention/attention.ts'
import { showOnDesktop } from '#web/platform/desktop-notices.ts'
import { askNoticePermission, readNoticePermission } from '#web/platform/push-subscription.ts'
import { Banner } from '#web/ui/banner.tsx'
import { TitledCard } from '#web/ui/titled-card.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { useAct } from '#web/ui/use-act.ts'
import { Pending } from '#web/ui/pending.tsx'
import { attentionTexts as texts } from './admin-attention-texts.ts'
import { attentionQuery, setMuted } from './api.ts'
import { changeDesktopChoice, readDesktopChoice } from './desktop-choice.ts'

/** A switch for desktop notifications in this browser, and a switch per alert, for both the bell and the desktop. */
export function AlertSettings() {
  const query = useQuery(attentionQuery)
  return (
    <TitledCard title={texts.settings}>
      <Desktop />
      <p className="text-sm text-ink-2">{texts.settingsHint}</p>
      {query.data === undefined ? <Pending query={query} shapes={['h-82']} /> : <Kinds muted={query.data.muted} />}
    </TitledCard>
  )
}

function Kinds({ muted }: { readonly muted: readonly Alert[] }) {
  const { start, isBusy, wish } = useAct({
    run: setMuted,
    failText: texts.saveFailed,
    isToasted: true,
  })
  const shown = wish ?? muted
  return (
    <div className="flex flex-col divide-y divide-line border-y border-line">
      {ALERTS.map((alert) => (
        <Switch
          key={alert}
          label={texts.alerts[alert]}
          isOn={!shown.includes(alert)}
          isBusy={isBusy}
          onChange={(isOn) => start(isOn ? shown.filter((one) => one !== alert) : [...shown, alert])}
        />
      ))}
    </div>
  )
}

function Desktop() {
  const [permission, setPermission] = useState(readNoticePermission)
  const [isOn, setIsOn] = useState(() => readDesktopChoice().isOn && permission === 'granted')
  const [wasDismissed, setWasDismissed] = useState(false)
  const switchTo = async (wish: boolean) => {
    setWasDismissed(false)
    setIsOn(wish)
    if (!wish) {
      changeDesktopChoice({ isOn: false })
      return
    }
    const answered = await askNoticePermission()
    if (answered !== 'granted') {
      setIsOn(false)
      setPermission(answered)
      setWasDismissed(answered === 'not-asked')
      return
    }
    // Shows a first notification as an example. `close` is null if the browser refuses, as on phones.
    const close = showOnDesktop({ title: texts.turnedOn, body: texts.desktopHint, tag: 'on', onPress: () => {} })
    setPermission(close === null ? 'unsupported' : 'granted')
    changeDesktopChoice({ isOn: close !== null })
    setIsOn(close !== null)
  }
  if (permission === 'unsupported') return <p className="text-sm text-ink-2">{texts.unsupported}</p>
  if (permission === 'blocked') return <Banner tone="warn">{texts.blocked}</Banner>
  return (
    <>
      <Switch label={texts.desktop} detail={texts.desktopHint} isOn={isOn} onChange={(wish) => void switchTo(wish)} />
      <div role="status" className="text-sm text-ink-2 empty:hidden">
        {wasDismissed && texts.notGranted}
      </div>
    </>
  )
}
