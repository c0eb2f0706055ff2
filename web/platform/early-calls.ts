import { nextTask } from './pause.ts'

/** What web/platform/head.js has asked the server for beside the page's code, and who takes the answers. */

/** Older than this it is asked for again. */
const earlyAnswerMs = 10_000

export type EarlyAnswer = {
  readonly response: Response
  readonly text: string
  readonly sentAtMs: number
  readonly receivedAtMs: number
}

type EarlyCall = {
  readonly token: string
  readonly controller: AbortController
  /** Undefined when none came. */
  readonly answer: Promise<EarlyAnswer | undefined>
}

declare global {
  /** The calls that web/platform/head.js has sent beside the page's code, by path and query. */
  var earlyCalls: Map<string, EarlyCall> | undefined
}

/** When all that was asked for early is answered and given to whoever waits for it now. */
export async function earlyAnswers(): Promise<void> {
  await Promise.all(Array.from(globalThis.earlyCalls?.values() ?? [], ({ answer }) => answer))
  await nextTask()
}

/** The answer of an early call, once, to whoever asks the same on behalf of the same user while it is new. */
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
  // Answers that came together are read one by one.
  await nextTask()
  return answer !== undefined && Date.now() - answer.receivedAtMs < earlyAnswerMs ? answer : undefined
}
