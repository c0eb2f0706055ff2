import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { saveFile } from '#web/ui/save-file.ts'
import { securityTexts as texts } from './admin-security-texts.ts'

/** Shows the ten recovery codes. The server keeps only their hashes, so they can't be shown again. */
export function RecoveryCodesDialog({
  codes,
  onClose,
}: {
  readonly codes: readonly string[]
  readonly onClose: () => void
}) {
  return (
    <Dialog
      onClose={onClose}
      title={texts.codesTitle}
      description={texts.codesWhy}
      footer={
        <>
          <Button
            variant="outline"
            onClick={() => saveFile(texts.file, 'text/plain;charset=utf-8', `${codes.join('\n')}\n`)}
          >
            {texts.download}
          </Button>
          <Button onClick={onClose}>{texts.saved}</Button>
        </>
      }
    >
      <ol className="grid grid-cols-1 gap-x-6 gap-y-1 rounded-s bg-surface-2 p-3 font-mono text-sm min-[380px]:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
    </Dialog>
  )
}
