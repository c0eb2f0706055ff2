import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from './log.ts'

export type Stop = () => Promise<void>

type Work = (signal: AbortSignal) => Promise<unknown>
type OnFailure = (error: unknown, isAgain: boolean) => void

/**
 * Returns a job that runs `work` when `begin` is called. `begin` returns false if `work` is running or the job was
 * stopped.
 * @param work gets a signal that is aborted when the job is stopped
 * @param onFailure gets the error, and whether the previous run failed, too
 */
export function onDemand(work: Work, onFailure: OnFailure): { readonly begin: () => boolean; readonly stop: Stop } {
  const stopping = new AbortController()
  let running: Promise<void> | null = null
  let hasFailed = false
  const begin = (): boolean => {
    if (running !== null || stopping.signal.aborted) return false
    running = work(stopping.signal)
      .then(() => {
        hasFailed = false
      })
      .catch((error: unknown) => {
        onFailure(error, hasFailed)
        hasFailed = true
      })
      .finally(() => {
        running = null
      })
    return true
  }
  const stop = async (): Promise<void> => {
    stopping.abort()
    await running
  }
  return { begin, stop }
}

/** Runs `work` every `everyMs`, unless the previous run still goes on. The timer does not keep the process alive. */
export function repeating(everyMs: number, work: Work, onFailure: OnFailure, { isAtOnce = false } = {}): Stop {
  const { begin, stop } = onDemand(work, onFailure)
  if (isAtOnce) begin()
  const timer = setInterval(begin, everyMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await stop()
  }
}

/** Repeats `work`, which returns its next pause in ms and must not throw. A pause does not keep the process alive. */
export function looping(work: (signal: AbortSignal) => Promise<number>): Stop {
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const waitMs = await work(signal)
      await sleep(waitMs, undefined, { signal, ref: false }).catch(() => {})
    }
  }
  const running = run()
  return async () => {
    stopping.abort()
    await running
  }
}

export const logging =
  (log: Logger, text: string, level: 'error' | 'warn' | 'debug' = 'warn') =>
  (error: unknown): void =>
    log[level]({ err: error }, text)

export async function stopAll(started: Array<() => unknown>): Promise<void> {
  for (const stop of started.splice(0).toReversed()) await stop()
}
