/** A note to play. Notes are synthesised, so that no sound file is fetched. */
export type Note = { readonly atS: number; readonly hertz: number }

let context: AudioContext | undefined

export function playNotes(notes: readonly Note[]): void {
  try {
    context ??= new AudioContext()
    const { currentTime } = context
    for (const { atS, hertz } of notes) {
      const startS = currentTime + atS
      const tone = context.createOscillator()
      const volume = context.createGain()
      tone.frequency.value = hertz
      volume.gain.setValueAtTime(0.0001, startS)
      volume.gain.exponentialRampToValueAtTime(0.08, startS + 0.02)
      volume.gain.exponentialRampToValueAtTime(0.0001, startS + 0.22)
      tone.connect(volume).connect(context.destination)
      tone.start(startS)
      tone.stop(startS + 0.25)
    }
  } catch {
    // If the browser refuses sound, no notes are played.
  }
}
