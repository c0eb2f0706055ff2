export type Signal<Told extends readonly unknown[] = []> = {
  /** Returns the function that stops it. */
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
      // A listener added meanwhile is called the next time, and one removed meanwhile not any more.
      for (const listener of [...listeners]) if (listeners.has(listener)) listener(...told)
    },
  }
}
