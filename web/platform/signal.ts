export type Signal<Told extends readonly unknown[] = []> = {
  readonly listen: (listener: (...told: Told) => void) => () => void
  readonly tell: (...told: Told) => void
}

export function createSignal<Told extends readonly unknown[] = []>(): Signal<Told> {
  const listeners = new Set<(...told: Told) => void>()
  return {
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    tell(...told) {
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
