export function createSignal<Told extends readonly unknown[] = []>() {
  const listeners = new Set<(...told: Told) => void>()
  return {
    listen: (listener: (...told: Told) => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    tell: (...told: Told): void => {
      // Listeners added during this loop are not called yet; those removed during this loop are not called any more.
      for (const listener of [...listeners]) if (listeners.has(listener)) listener(...told)
    },
  }
}

/** Returns one function that calls all of them, as the cleanup of an effect with several listeners. */
export const together =
  (...stops: ReadonlyArray<() => void>) =>
  (): void => {
    for (const stop of stops) stop()
  }
