import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { LedgerReason } from '#contract/wallet.ts'
import { formatCount, formatDate } from '#web/platform/formats.ts'
import { refresh } from '#web/platform/query-client.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { onServerEvent } from '#web/platform/socket.ts'
import { useAct } from '#web/ui/use-act.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Download } from '#web/ui/icons/download.tsx'
import { MoreRows } from '#web/ui/more-rows.tsx'
import { Pending } from '#web/ui/pending.tsx'
import { saveFile } from '#web/ui/save-file.ts'
import { Select } from '#web/ui/select.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.tsx'
import { ledgerKey, ledgerQuery } from './api.ts'
import { type BetTitle, LedgerList } from './ledger-list.tsx'
import { ledgerTexts } from './wallet-texts.ts'

/** The reasons that change a balance. A paid withdrawal changes none: its amount left the balance when it was held. */
const shownReasons = [
  'BET',
  'DEPOSIT',
  'WITHDRAWAL_HOLD',
  'WITHDRAWAL_RELEASED',
  'ADJUSTMENT',
  'WELCOME',
  'REFILL',
] as const satisfies readonly LedgerReason[]

const all = 'all'

function useLedgerPages(reason: LedgerReason | null) {
  const query = useInfiniteQuery({ ...ledgerQuery(reason), placeholderData: keepPreviousData })
  useEffect(() => {
    const ask = () => void refresh(ledgerKey)
    // Fetch once now, since rows may have arrived while another screen was open.
    ask()
    return onServerEvent('balance_changed', ask)
  }, [])
  return query
}

export function Ledger({ betTitle }: { readonly betTitle: BetTitle }) {
  const [reason, setReason] = useState<LedgerReason | null>(null)
  const query = useLedgerPages(reason)
  const first = query.data?.pages[0]
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? []

  return (
    <Card isPadded={false} className="overflow-hidden">
      <div className="flex flex-wrap items-end gap-2 p-4">
        <Select
          className="min-w-40 flex-1"
          label={ledgerTexts.filter}
          value={reason ?? all}
          onChange={(event) => setReason(shownReasons.find((one) => one === event.target.value) ?? null)}
          options={[
            { value: all, label: ledgerTexts.filterAll },
            ...shownReasons.map((one) => ({ value: one, label: ledgerTexts.reasons[one] })),
          ]}
        />
        <CsvButton key={reason} reason={reason} />
        {first !== undefined && (
          <p role="status" className="w-full text-xs text-ink-3 tabular-nums">
            {(first.meta.totalCapped === true ? ledgerTexts.countCapped : ledgerTexts.count)(
              formatCount(first.meta.total),
            )}
          </p>
        )}
      </div>
      {first === undefined ? (
        <Pending query={query} className="flex flex-col gap-4 px-4 pb-4" shapes={Array<string>(6).fill('h-10')} />
      ) : rows.length === 0 ? (
        <EmptyState text={reason === null ? ledgerTexts.empty : ledgerTexts.emptyFiltered} />
      ) : (
        <LedgerList rows={rows} betTitle={betTitle} />
      )}
      <MoreRows key={reason} query={query} label={ledgerTexts.more} />
    </Card>
  )
}

function CsvButton({ reason }: { readonly reason: LedgerReason | null }) {
  const [count, setCount] = useState(0)
  const { start, isBusy } = useAct({
    failText: ledgerTexts.csvFailed,
    run: async (_, signal) => {
      setCount(0)
      const { loadAllRows, writeLedgerCsv } = await import('./ledger-csv.ts')
      const { rows, isCapped } = await loadAllRows(reason, signal, setCount)
      const day = formatDate(serverNowMs()).split('/').toReversed().join('-')
      saveFile(`kim-phien-so-du-${day}.csv`, 'text/csv;charset=utf-8', writeLedgerCsv(rows))
      if (isCapped) toast.info(ledgerTexts.csvCapped(formatCount(rows.length)))
    },
    isToasted: true,
  })

  return (
    <Button variant="outline" isBusy={isBusy} onClick={() => start()}>
      <Download aria-hidden size={18} strokeWidth={1.8} />
      {!isBusy || count === 0 ? ledgerTexts.csv : ledgerTexts.csvWorking(formatCount(count))}
    </Button>
  )
}
