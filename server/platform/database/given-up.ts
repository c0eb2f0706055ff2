import { AsyncLocalStorage } from 'node:async_hooks'

const signals = new AsyncLocalStorage<AbortSignal>()

export const whileWaitedFor = <T>(signal: AbortSignal, work: () => T): T => signals.run(signal, work)

/** Returns a signal that aborts once nobody waits for the running work; undefined for work that is never given up. */
export const givenUp = (): AbortSignal | undefined => signals.getStore()

/** Runs work that goes on even if its caller leaves, such as work whose result several callers share. */
export const whoeverWaits = <T>(work: () => T): T => signals.exit(work)
