import { UPLOAD_WITHIN_MS } from '#contract/files.ts'
import type { RefusalCode } from '#contract/refusals.ts'
import { ApiError, assertSessionStands, clientErrorCodes, type OtherCode, readCode } from '#web/platform/http.ts'
import { readAccessToken } from '#web/platform/storage.ts'
import { commonTexts } from '#web/platform/texts.ts'

export type UploadRequest = {
  readonly path: string
  readonly refusals: readonly RefusalCode[]
  readonly file: Blob
  /** Receives the part of the file that was sent, from 0 to 1. */
  readonly onProgress: (share: number) => void
}

/** Uploads a form's field `file` and resolves with the answer's `data`. Unlike `sendRequest` it reports progress. */
export function uploadFile({ path, refusals, file, onProgress }: UploadRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    assertSessionStands()
    const request = new XMLHttpRequest()
    const failed = (code: OtherCode, message: string) => reject(new ApiError({ status: 0, code, message }))
    request.open('POST', path)
    request.timeout = UPLOAD_WITHIN_MS
    request.responseType = 'json'
    request.setRequestHeader('accept', 'application/json')
    const token = readAccessToken()
    if (token !== null) request.setRequestHeader('authorization', `Bearer ${token}`)
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
    request.addEventListener('error', () => failed(clientErrorCodes.noResponse, commonTexts.serverUnreachable))
    request.addEventListener('timeout', () => failed(clientErrorCodes.timedOut, commonTexts.serverTooSlow))
    request.addEventListener('abort', () => failed(clientErrorCodes.noResponse, commonTexts.serverUnreachable))
    request.addEventListener('load', () => {
      const { status } = request
      /** Null if the answer is not JSON. */
      const body = request.response as Record<string, unknown> | null
      const retryAfterS = Number(request.getResponseHeader('retry-after') ?? Number.NaN)
      if (status >= 200 && status < 300 && body !== null) return resolve(body['data'])
      reject(
        new ApiError({
          status,
          code: readCode(body?.['code'], status, refusals),
          message: typeof body?.['message'] === 'string' ? body['message'] : commonTexts.somethingWrong,
          retryAfterMs: Number.isFinite(retryAfterS) ? retryAfterS * 1000 : undefined,
        }),
      )
    })
    const form = new FormData()
    form.append('file', file)
    request.send(form)
  })
}
