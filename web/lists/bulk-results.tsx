import type { ReactNode } from 'react'
import { formatCount } from '#web/platform/formats.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog, type ConfirmDialogProps } from '#web/ui/confirm-dialog.tsx'
import { Circle } from '#web/ui/icons/circle.tsx'
import { CircleAlert } from '#web/ui/icons/circle-alert.tsx'
import { CircleCheck } from '#web/ui/icons/circle-check.tsx'
import { adminTableTexts as texts } from './table-texts.ts'
import { type BulkResult, type BulkRun, isLeft } from './use-bulk-run.ts'

type BulkResultsProps<Row> = {
  readonly run: BulkRun<Row>
  readonly rowId: (row: Row) => string
  readonly rowName: (row: Row) => string
  readonly beside?: ((row: Row) => ReactNode) | undefined
  readonly onClose: () => void
}

export type BulkFrameProps<Row> = BulkResultsProps<Row> & Omit<ConfirmDialogProps, 'isOpen' | 'isBusy' | 'onCancel'>

/** The dialog of an act on many rows: first the question with `children`, then each row's outcome. */
export function BulkFrame<Row>({ run, rowId, rowName, beside, onClose, children, ...dialog }: BulkFrameProps<Row>) {
  const isAsking = run.phase === 'asking'
  return (
    <ConfirmDialog
      {...dialog}
      isOpen
      cancelLabel={commonTexts.back}
      isBusy={run.phase === 'running'}
      hasFooter={isAsking}
      onCancel={onClose}
    >
      {isAsking ? (
        children
      ) : (
        <BulkResults run={run} rowId={rowId} rowName={rowName} beside={beside} onClose={onClose} />
      )}
    </ConfirmDialog>
  )
}

function BulkResults<Row>({ run, rowId, rowName, beside, onClose }: BulkResultsProps<Row>) {
  const { phase, rows, results, stoppedBy, isStopping, stop, retry } = run
  const doneCount = [...results.values()].filter(({ isDone }) => isDone).length
  const all = formatCount(rows.length)
  const isRunning = phase === 'running'
  const untried = rows.length - results.size
  const left = rows.filter((row) => isLeft(results.get(rowId(row)))).length
  const rank = (row: Row) => {
    const result = results.get(rowId(row))
    return result === undefined ? 1 : result.isDone ? 2 : 0
  }
  return (
    <>
      <p role="status" className="text-sm font-medium text-ink tabular-nums">
        {isRunning
          ? texts.bulkProgress(formatCount(results.size), all)
          : texts.bulkSummary(formatCount(doneCount), all)}
      </p>
      <div aria-hidden className="h-1.5 overflow-hidden rounded-full bg-surface-2">
        <div
          className="h-full bg-gold transition-[width]"
          style={{ width: `${(100 * results.size) / Math.max(1, rows.length)}%` }}
        />
      </div>
      {!isRunning && untried > 0 && (
        <Banner tone="warn">
          <span>{`${texts.bulkStopped(formatCount(untried))} `}</span>
          <span>{stoppedBy}</span>
        </Banner>
      )}
      {!isRunning && (
        <ul
          aria-label={texts.bulkResults}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard.
          tabIndex={0}
          className="flex max-h-64 shrink-0 flex-col divide-y divide-line overflow-y-auto rounded-s border border-line text-sm"
        >
          {rows
            .toSorted((a, b) => rank(a) - rank(b))
            .map((row) => (
              <BulkResultRow key={rowId(row)} name={rowName(row)} result={results.get(rowId(row))}>
                {beside?.(row)}
              </BulkResultRow>
            ))}
        </ul>
      )}
      {isRunning ? (
        <Button variant="outline" isWide disabled={isStopping} onClick={stop}>
          {isStopping ? texts.bulkStopping : texts.bulkStop}
        </Button>
      ) : (
        <div className="flex flex-col gap-2">
          {left > 0 && (
            <Button variant="outline" isWide onClick={retry}>
              {texts.bulkRetry(formatCount(left))}
            </Button>
          )}
          <Button isWide onClick={onClose}>
            {commonTexts.close}
          </Button>
        </div>
      )}
    </>
  )
}

type BulkResultRowProps = {
  readonly name: string
  readonly result: BulkResult | undefined
  readonly children?: ReactNode
}

function BulkResultRow({ name, result, children }: BulkResultRowProps) {
  const Icon = result === undefined ? Circle : result.isDone ? CircleCheck : CircleAlert
  const tone = result === undefined ? 'text-ink-3' : result.isDone ? 'text-up' : 'text-down'
  return (
    <li className="flex items-center gap-2 px-3 py-2">
      <Icon aria-hidden size={16} className={`shrink-0 ${tone}`} />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{name}</span>
        <span className={`block text-xs ${result?.isDone === false ? 'text-down' : 'text-ink-3'}`}>
          {result?.text ?? texts.bulkNotDone}
        </span>
      </span>
      {children}
    </li>
  )
}
