import { ownAccountEndpoints } from '#contract/own-account.ts'
import { downloadFile } from '#web/platform/download.ts'
import { formatDate } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { useAct } from '#web/ui/use-act.ts'
import { TitledCard } from '#web/ui/titled-card.tsx'
import { Button } from '#web/ui/button.tsx'
import { FormFailure } from '#web/ui/form-failure.tsx'
import { Download } from '#web/ui/icons/download.tsx'
import { saveFile } from '#web/ui/save-file.ts'
import { settingsTexts } from './settings-texts.ts'

/** Ten minutes, since a file with years of play takes long over a slow connection. */
const timeoutMs = 600_000

/** Shows a button that saves the user's own data as one ZIP file (rules §4.8). */
export function DownloadData() {
  const { start, isBusy, failure } = useAct({
    failText: settingsTexts.failed,
    run: async (_, signal) => {
      const file = await downloadFile(ownAccountEndpoints.exportData.path, signal, { timeoutMs })
      const day = formatDate(serverNowMs()).split('/').toReversed().join('-')
      saveFile(`kim-phien-du-lieu-${day}.zip`, 'application/zip', file)
    },
  })

  return (
    <TitledCard title={settingsTexts.data}>
      <p className="text-sm text-ink-2">{settingsTexts.dataLead}</p>
      <div>
        <FormFailure message={failure} />
        <Button variant="outline" isWide isBusy={isBusy} onClick={() => start()}>
          <Download aria-hidden size={18} strokeWidth={1.8} />
          {settingsTexts.dataSave}
        </Button>
      </div>
    </TitledCard>
  )
}
