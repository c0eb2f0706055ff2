import { Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { formatDate } from '#web/platform/formats.ts'
import { ApiError, failureText } from '#web/platform/http.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { Button } from '#web/ui/button.tsx'
import { FormFailure } from '#web/ui/form-failure.tsx'
import { saveFile } from '#web/ui/save-file.ts'
import { downloadData } from './api.ts'
import { Section } from './section.tsx'
import { settingsTexts } from './settings-texts.ts'

const minuteMs = 60_000

/** A refusal that says when to come back is repeated with its time. */
function reasonOf(error: unknown): string {
  const waitMs = error instanceof ApiError && error.code === 'TOO_MANY_REQUESTS' ? error.retryAfterMs : undefined
  if (waitMs === undefined) return failureText(error, settingsTexts.dataFailed)
  return settingsTexts.dataTooOften(Math.ceil(waitMs / minuteMs))
}

/** Saves everything that is stored of the own account as one file (rules §4.8). */
export function DownloadData() {
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])

  const save = async () => {
    const controller = new AbortController()
    abort.current = controller
    setIsBusy(true)
    setFailure(undefined)
    try {
      const file = await downloadData(controller.signal)
      const day = formatDate(serverNowMs()).split('/').toReversed().join('-')
      saveFile(`kim-phien-du-lieu-${day}.zip`, 'application/zip', file)
    } catch (error) {
      if (!controller.signal.aborted) setFailure(reasonOf(error))
    }
    setIsBusy(false)
  }

  return (
    <Section title={settingsTexts.data}>
      <p className="text-sm text-ink-2">{settingsTexts.dataLead}</p>
      <div>
        <FormFailure message={failure} />
        <Button variant="outline" isWide isBusy={isBusy} onClick={() => void save()}>
          <Download aria-hidden size={18} strokeWidth={1.8} />
          {settingsTexts.dataSave}
        </Button>
      </div>
    </Section>
  )
}
