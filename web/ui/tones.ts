/** A note to play. Notes are synthesised, so that no sound file is fetched. */
export type Note = { readonly atS: number; readonly hertz: number }

let context: AudioContext | undefined

/** Notes that the browser lets play only after this time are dropped. */
const lateMs = 1_000

/**
 * Plays notes. The browser may have interrupted sound, as iOS does while the page is left, or may allow none before a
 * press. Then the notes wait until sound is resumed: if they were scheduled now, all waiting notes would play at once.
 */
export function playNotes(notes: readonly Note[]): void {
  try {
    const sound = (context ??= new AudioContext())
    if (sound.state === 'running') return schedule(sound, notes)
    const askedAtMs = performance.now()
    sound
      .resume()
      .then(() => performance.now() - askedAtMs < lateMs && schedule(sound, notes))
      .catch(() => {})
  } catch {
    // If the browser refuses sound, no notes are played.
  }
}

function schedule(sound: AudioContext, notes: readonly Note[]): void {
  const { currentTime } = sound
  for (const { atS, hertz } of notes) {
    const startS = currentTime + atS
    const tone = sound.createOscillator()
    const volume = sound.createGain()
    tone.frequency.value = hertz
    volume.gain.setValueAtTime(0.0001, startS)
    volume.gain.exponentialRampToValueAtTime(0.08, startS + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.0001, startS + 0.22)
    tone.connect(volume).connect(sound.destination)
    tone.start(startS)
    tone.stop(startS + 0.25)
  }
}
