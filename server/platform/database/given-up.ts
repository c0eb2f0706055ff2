import { AsyncLocalStorage } from 'node:async_hooks'

const signals = new AsyncLocalStorage<AbortSignal>()

export const whileWaitedFor = <T>(signal: AbortSignal, work: () => T): T => signals.run(signal, work)

/** Aborted once nobody waits any more for the work that runs here; undefined for work that goes on anyway. */
export const givenUp = (): AbortSignal | undefined => signals.getStore()

/** Runs work that goes on even when the caller leaves, such as work that several callers share. */
export const whoeverWaits = <T>(work: () => T): T => signals.exit(work)
