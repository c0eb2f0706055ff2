// A thread that sends pictures: the one that measures others meanwhile must not be held up by 300 MB of its own.
import { parentPort, workerData } from 'node:worker_threads'

export interface Sending {
  readonly url: string
  /** Of the account that sends it, one for each picture. */
  readonly tokens: readonly string[]
  readonly bytes: Uint8Array<ArrayBuffer>
}

export interface Sent {
  readonly status: number
  readonly tookMs: number
}

export async function sendPicture(url: string, token: string, bytes: Uint8Array<ArrayBuffer>): Promise<Sent> {
  const body = new FormData()
  body.append('file', new Blob([bytes]))
  const startedMs = performance.now()
  const response = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body })
  await response.text()
  return { status: response.status, tookMs: performance.now() - startedMs }
}

if (parentPort !== null) {
  const { url, tokens, bytes } = workerData as Sending
  parentPort.postMessage(await Promise.all(tokens.map((token) => sendPicture(url, token, bytes))), [])
}
