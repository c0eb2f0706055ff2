import { setTimeout as sleep } from 'node:timers/promises'

type Look<T> = () => T | null | undefined | false | Promise<T | null | undefined | false>

/** Looks until something is there, and answers it. Throws an error that names it after `withinMs`. */
export async function until<T>(what: string, withinMs: number, look: Look<T>, everyMs = 20): Promise<T> {
  const endMs = performance.now() + withinMs
  for (;;) {
    const seen = await look()
    if (seen !== undefined && seen !== null && seen !== false) return seen
    if (performance.now() > endMs) throw new Error(`Not within ${withinMs / 1000} s: ${what}`)
    await sleep(everyMs)
  }
}

/** Waits for a condition. Returns the ms it took, or null when it did not become true in time. */
export async function waitFor(condition: () => boolean | Promise<boolean>, timeoutMs: number): Promise<number | null> {
  const startedMs = performance.now()
  while (!(await condition())) {
    if (performance.now() - startedMs > timeoutMs) return null
    await sleep(50)
  }
  return Math.round(performance.now() - startedMs)
}
