import { AsyncLocalStorage } from 'node:async_hooks'

const signals = new AsyncLocalStorage<AbortSignal>()

export const whileWaitedFor = <T>(signal: AbortSignal, work: () => T): T => signals.run(signal, work)

/** Returns a signal that aborts once nobody waits for the running work any more; undefined for work that always goes on. */
export const givenUp = (): AbortSignal | undefined => signals.getStore()

/** Runs work that goes on even if the caller leaves, such as work that several callers share. */
export const whoeverWaits = <T>(work: () => T): T => signals.exit(work)
