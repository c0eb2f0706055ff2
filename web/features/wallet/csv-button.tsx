import { Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { TransferReason } from '#domain/ledger/transfers.ts'
import { formatCount, formatDate } from '#web/platform/formats.ts'
import { failureText } from '#web/platform/http.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { ledgerTexts } from './wallet-texts.ts'
import { Button } from '#web/ui/button.tsx'
import { saveFile } from '#web/ui/save-file.ts'
import { toast } from '#web/ui/toast.tsx'

/** Saves the filtered rows as a file for spreadsheets. */
export function CsvButton({ reason }: { readonly reason: TransferReason | null }) {
  const [count, setCount] = useState<number | null>(null)
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])

  const save = async () => {
    const controller = new AbortController()
    abort.current = controller
    setCount(0)
    try {
      // Loaded on the first press.
      const { csvMaxRows, loadAllRows, writeLedgerCsv } = await import('./ledger-csv.ts')
      const { rows, isCapped } = await loadAllRows(reason, controller.signal, setCount)
      const day = formatDate(serverNowMs()).split('/').toReversed().join('-')
      saveFile(`kim-phien-so-du-${day}.csv`, 'text/csv;charset=utf-8', writeLedgerCsv(rows))
      if (isCapped) toast.info(ledgerTexts.csvCapped(formatCount(csvMaxRows)))
    } catch (error) {
      if (!controller.signal.aborted) toast.error(failureText(error, ledgerTexts.csvFailed))
    }
    setCount(null)
  }

  return (
    <Button variant="outline" isBusy={count !== null} onClick={() => void save()}>
      <Download aria-hidden size={18} strokeWidth={1.8} />
      {count === null || count === 0 ? ledgerTexts.csv : ledgerTexts.csvWorking(formatCount(count))}
    </Button>
  )
}
