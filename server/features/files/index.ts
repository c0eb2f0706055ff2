import type { Api } from '#server/platform/http/http.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { type FilesDeps, registerFileRoutes } from './routes.ts'
import { startUploadSweep } from './sweep-uploads.ts'

/** Files: pictures and PDFs in chat. Owns uploads. Emits no events. */
export function registerFiles(api: Api, deps: FilesDeps & { readonly log: Logger }): { stop(): Promise<void> } {
  registerFileRoutes(api, deps)
  return { stop: startUploadSweep(deps.db, deps.storage, deps.log) }
}
export { type CopiedUploads, copyUploads } from './copy-uploads.ts'
export { type FileStorage, openFileStorage } from './storage.ts'
export { useUpload } from './store-upload.ts'
