// A worker thread sends the images, so that 300 MB of uploads do not delay the thread that measures.
import { parentPort, workerData } from 'node:worker_threads'

export interface Sending {
  readonly url: string
  /** The token of the sending account, one for each image. */
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
