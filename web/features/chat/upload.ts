import { UPLOAD_WITHIN_MS } from '#contract/files.ts'
import type { RefusalCode } from '#contract/refusals.ts'
import { assertSessionStands, noAnswer, toApiError } from '#web/platform/http.ts'
import { endSession } from '#web/platform/session.ts'
import { readAccessToken } from '#web/platform/storage.ts'

export type UploadRequest = {
  readonly path: string
  readonly refusals: readonly RefusalCode[]
  readonly file: Blob
  /** Receives the share of the file that has been sent, from 0 to 1. */
  readonly onProgress: (share: number) => void
}

/** Uploads the file as form field `file`. Resolves with the answer's `data`; rejects with an `ApiError`. */
export function uploadFile({ path, refusals, file, onProgress }: UploadRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    assertSessionStands()
    const request = new XMLHttpRequest()
    request.open('POST', path)
    request.timeout = UPLOAD_WITHIN_MS
    request.responseType = 'json'
    request.setRequestHeader('accept', 'application/json')
    const token = readAccessToken()
    if (token !== null) request.setRequestHeader('authorization', `Bearer ${token}`)
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
    for (const name of ['error', 'abort'] as const) request.addEventListener(name, () => reject(noAnswer(false)))
    request.addEventListener('timeout', () => reject(noAnswer(true)))
    request.addEventListener('load', () => {
      const { status } = request
      /** Null if the answer is not JSON. */
      const body = request.response as Record<string, unknown> | null
      if (status >= 200 && status < 300 && body !== null) return resolve(body['data'])
      if (status === 401 && token !== null) endSession()
      const headers = { get: (name: string) => request.getResponseHeader(name) }
      reject(toApiError({ status, headers }, body, refusals))
    })
    const form = new FormData()
    form.append('file', file)
    request.send(form)
  })
}
