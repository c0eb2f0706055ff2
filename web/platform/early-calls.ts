import { nextTask } from './pause.ts'

/** This file hands out the answers to the calls that web/boot/head.ts sends while the page's code is still loading. */

const earlyAnswerMs = 10_000

export type EarlyAnswer = {
  readonly response: Response
  readonly text: string
  readonly sentAtMs: number
  readonly receivedAtMs: number
}

export type EarlyCall = {
  readonly token: string
  readonly controller: AbortController
  readonly answer: Promise<EarlyAnswer | undefined>
}

declare global {
  var earlyCalls: Map<string, EarlyCall> | undefined
}

/** Resolves one task after all early calls are answered or have failed, so code that awaits an answer runs first. */
export async function earlyAnswers(): Promise<void> {
  await Promise.all(Array.from(globalThis.earlyCalls?.values() ?? [], ({ answer }) => answer))
  await nextTask()
}

/**
 * Returns the answer to the early call of `path`, but only once. Returns undefined if there was no such call, if the
 * call was sent with another token or failed, or if its answer is 10 s old or older.
 */
export async function takeEarlyAnswer(
  path: string,
  token: string | null,
  signal: AbortSignal,
): Promise<EarlyAnswer | undefined> {
  const call = globalThis.earlyCalls?.get(path)
  if (call === undefined) return undefined
  globalThis.earlyCalls?.delete(path)
  if (call.token !== token) return undefined
  signal.addEventListener('abort', () => call.controller.abort())
  const answer = await call.answer
  return answer !== undefined && Date.now() - answer.receivedAtMs < earlyAnswerMs ? answer : undefined
}
