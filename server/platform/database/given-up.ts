import { AsyncLocalStorage } from 'node:async_hooks'

const signals = new AsyncLocalStorage<AbortSignal>()

export const whileWaitedFor = <T>(signal: AbortSignal, work: () => T): T => signals.run(signal, work)

/** Returns the signal of the surrounding `whileWaitedFor`, or undefined. The signal aborts once no caller waits. */
export const givenUp = (): AbortSignal | undefined => signals.getStore()

/** Runs work that goes on even if its caller waits no longer, because several callers share its result. */
export const whoeverWaits = <T>(work: () => T): T => signals.exit(work)
