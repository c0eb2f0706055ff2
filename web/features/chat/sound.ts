import { playNotes } from '#web/ui/tones.ts'

export const playChime = (): void =>
  playNotes([
    { atS: 0, hertz: 660 },
    { atS: 0.12, hertz: 880 },
  ])
