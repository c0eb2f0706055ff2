import { fileEndpoints } from '#contract/files.ts'
import type { FileFacts } from '#domain/chat/file.ts'
import { cleanFileName } from '#domain/chat/file-name.ts'
import { downloadFile } from '#web/platform/download.ts'
import { useAct } from '#web/ui/use-act.ts'
import { classNames } from '#web/ui/class-names.ts'
import { FormFailure } from '#web/ui/form-failure.tsx'
import { Button } from '#web/ui/button.tsx'
import { Download } from '#web/ui/icons/download.tsx'
import { FileText } from '#web/ui/icons/file-text.tsx'
import { saveFile } from '#web/ui/save-file.ts'
import type { Upload } from './chat-store.ts'
import { fileTexts as texts } from './file-texts.ts'

const { path, refusals } = fileEndpoints.readUpload
const prefix = path.replace('{key}', '')

export type FileCardProps = {
  readonly file: FileFacts
  readonly upload?: Upload | undefined
  readonly className?: string | undefined
}

/** Shows the name and size of a message's PDF with a button that saves it. The PDF is not displayed (rules §7.7). */
export function FileCard({ file: { url, name, bytes }, upload, className }: FileCardProps) {
  const { start, isBusy, failure } = useAct({
    failText: texts.downloadFailed,
    run: async (_, signal) => {
      saveFile(cleanFileName(name), 'application/pdf', await downloadFile(url, signal, { refusals }))
    },
  })
  return (
    <div className={classNames('w-80 max-w-[82%] rounded-m border border-line bg-surface p-2 text-ink', className)}>
      <div className="flex min-h-target items-center gap-2">
        <FileText aria-hidden size={28} strokeWidth={1.6} className="shrink-0 text-gold" />
        <span className="min-w-0 flex-1 text-sm">
          <bdi title={name} className="line-clamp-2 break-words">
            {name}
          </bdi>
          <small className="text-xs text-ink-2 tabular-nums">{texts.size(bytes)}</small>
        </span>
        {url.startsWith(prefix) && (
          <Button
            size="sm"
            variant="outline"
            aria-label={texts.downloadOf(name)}
            isBusy={isBusy}
            onClick={() => start()}
          >
            <Download aria-hidden size={16} strokeWidth={1.8} />
            {texts.download}
          </Button>
        )}
      </div>
      {url === '' && upload !== undefined && <UploadBar upload={upload} className="mt-1 bg-surface-2" />}
      <FormFailure message={failure} />
    </div>
  )
}

export function UploadBar({ upload: { share }, className }: { readonly upload: Upload; readonly className: string }) {
  const percent = Math.round(share * 100)
  return (
    <span
      role="progressbar"
      aria-label={texts.uploading(String(percent))}
      aria-valuenow={percent}
      className={classNames('block h-1.5 overflow-hidden rounded-pill', className)}
    >
      <span
        className="block h-full origin-left bg-gold-fill transition-transform"
        style={{ transform: `scaleX(${share})` }}
      />
    </span>
  )
}
