import { nextTask } from './pause.ts'

/** Calls that web/boot/head.ts sends beside the page's code, and the code that takes their answers. */

/** An older answer is not used, and the call is made again. */
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
  /** Undefined when none came. */
  readonly answer: Promise<EarlyAnswer | undefined>
}

declare global {
  /** By path and query. */
  var earlyCalls: Map<string, EarlyCall> | undefined
}

/** Resolves once every early call is answered, and the code that already waits for an answer has it. */
export async function earlyAnswers(): Promise<void> {
  await Promise.all(Array.from(globalThis.earlyCalls?.values() ?? [], ({ answer }) => answer))
  await nextTask()
}

/** The answer of the early call with this path and token. It is given once, and only while it is new. */
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
