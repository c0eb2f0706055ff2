import type { BetStatus } from '#domain/game/bet.ts'
import { readResultSignal, type ResultSignal } from '#web/platform/storage.ts'
import { type Note, playNotes } from '#web/ui/tones.ts'

/** The sounds of the results. They are short, because a sound must not urge the player to play on (rules §8). */
const notes: Readonly<Record<BetStatus, readonly Note[]>> = {
  open: [],
  won: [
    { atS: 0, hertz: 523 },
    { atS: 0.14, hertz: 784 },
  ],
  lost: [
    { atS: 0, hertz: 523 },
    { atS: 0.14, hertz: 392 },
  ],
  voided: [{ atS: 0, hertz: 523 }],
}

const canVibrate = (): boolean => 'vibrate' in navigator

export const availableSignals = (): readonly ResultSignal[] => (canVibrate() ? ['sound', 'vibration'] : ['sound'])

export function giveSignal(signal: ResultSignal, status: BetStatus): void {
  if (signal === 'sound') playNotes(notes[status])
  else if (canVibrate()) navigator.vibrate(status === 'won' ? [60, 60, 60] : 120)
}

export function signalResult(status: BetStatus): void {
  for (const signal of availableSignals()) if (readResultSignal(signal)) giveSignal(signal, status)
}
