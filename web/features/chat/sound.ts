import { playNotes } from '#web/ui/tones.ts'

/** Two soft notes when a message comes, once somebody switched them on. */
export const playChime = (): void =>
  playNotes([
    { atS: 0, hertz: 660 },
    { atS: 0.12, hertz: 880 },
  ])
