import { useState } from 'react'
import { readResultSignal, type ResultSignal, writeResultSignal } from '#web/platform/storage.ts'
import { Switch } from '#web/ui/switch.tsx'
import { giveSignal } from './result-signals.ts'
import { rulesTexts } from './rules-texts.ts'

export type SignalSwitchProps = {
  readonly signal: ResultSignal
  readonly label?: string
}

/** The switch of a result signal, off by default. Turning the switch on plays the signal once as a sample. */
export function SignalSwitch({ signal, label = rulesTexts[signal] }: SignalSwitchProps) {
  const [isOn, setIsOn] = useState(() => readResultSignal(signal))
  const set = (next: boolean) => {
    writeResultSignal(signal, next)
    setIsOn(next)
    if (next) giveSignal(signal, 'won')
  }
  return <Switch label={label} isOn={isOn} onChange={set} />
}
