import { useState } from 'react'
import { readResultSignal, type ResultSignal, writeResultSignal } from '#web/platform/storage.ts'
import { Switch } from '#web/ui/switch.tsx'
import { giveSignal } from './result-signals.ts'
import { rulesTexts } from './rules-texts.ts'

export type SignalSwitchProps = {
  readonly signal: ResultSignal
  readonly label?: string
}

/** The switch for the sound or the vibration at a result, off by default. Turning it on plays the signal once. */
export function SignalSwitch({ signal, label = rulesTexts[signal] }: SignalSwitchProps) {
  const [isOn, setIsOn] = useState(() => readResultSignal(signal))
  const set = (next: boolean) => {
    writeResultSignal(signal, next)
    setIsOn(next)
    if (next) giveSignal(signal, 'won')
  }
  return <Switch label={label} isOn={isOn} onChange={set} />
}
