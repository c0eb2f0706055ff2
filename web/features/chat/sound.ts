import { playNotes } from '#web/ui/tones.ts'

/** Two soft notes for a received message, if the user switched the sound on. */
export const playChime = (): void =>
  playNotes([
    { atS: 0, hertz: 660 },
    { atS: 0.12, hertz: 880 },
  ])
