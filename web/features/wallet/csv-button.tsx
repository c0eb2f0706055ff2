import { useState } from 'react'
import type { LedgerReason } from '#contract/wallet.ts'
import { formatCount, formatDate } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { ledgerTexts } from './wallet-texts.ts'
import { useAct } from '#web/platform/use-act.ts'
import { Button } from '#web/ui/button.tsx'
import { saveFile } from '#web/ui/save-file.ts'
import { toast } from '#web/ui/toast.tsx'
import { toastFailure } from '#web/ui/form-failure.tsx'
import { Download } from '#web/ui/icons/download.tsx'

export function CsvButton({ reason }: { readonly reason: LedgerReason | null }) {
  const [count, setCount] = useState(0)
  const { start, isBusy } = useAct({
    failText: ledgerTexts.csvFailed,
    run: async (_, signal) => {
      setCount(0)
      const { csvMaxRows, loadAllRows, writeLedgerCsv } = await import('./ledger-csv.ts')
      const { rows, isCapped } = await loadAllRows(reason, signal, setCount)
      const day = formatDate(serverNowMs()).split('/').toReversed().join('-')
      saveFile(`kim-phien-so-du-${day}.csv`, 'text/csv;charset=utf-8', writeLedgerCsv(rows))
      if (isCapped) toast.info(ledgerTexts.csvCapped(formatCount(csvMaxRows)))
    },
    onFailure: toastFailure(ledgerTexts.csvFailed),
  })

  return (
    <Button variant="outline" isBusy={isBusy} onClick={() => start()}>
      <Download aria-hidden size={18} strokeWidth={1.8} />
      {!isBusy || count === 0 ? ledgerTexts.csv : ledgerTexts.csvWorking(formatCount(count))}
    </Button>
  )
}
