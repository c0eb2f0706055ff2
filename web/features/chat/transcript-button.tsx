import { careEndpoints } from '#contract/care.ts'
import { dayOf } from '#domain/day.ts'
import { downloadFile } from '#web/platform/download.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { useAct } from '#web/ui/use-act.ts'
import { Button } from '#web/ui/button.tsx'
import { FormFailure } from '#web/ui/form-failure.tsx'
import { Download } from '#web/ui/icons/download.tsx'
import { saveFile } from '#web/ui/save-file.ts'
import { transcriptTexts as texts } from './transcript-texts.ts'

const { path, refusals } = careEndpoints.readTranscript
/** The timeout is long, because a long conversation may take minutes over a slow connection. */
const options = { refusals, timeoutMs: 600_000 }

export function TranscriptButton({ conversationId }: { readonly conversationId: string }) {
  const { start, isBusy, failure } = useAct({
    failText: texts.failed,
    run: async (_, signal) => {
      const file = await downloadFile(path.replace('{id}', encodeURIComponent(conversationId)), signal, options)
      saveFile(`tro-chuyen-${dayOf(serverNowMs())}.txt`, 'text/plain', file)
    },
  })
  return (
    <section>
      <FormFailure message={failure} />
      <Button size="sm" variant="outline" isBusy={isBusy} onClick={() => start()}>
        <Download aria-hidden size={16} strokeWidth={1.8} />
        {texts.save}
      </Button>
      <p className="mt-1 text-xs text-ink-3">{texts.audited}</p>
    </section>
  )
}
