import { type ReactNode, useState } from 'react'
import { Link } from '@tanstack/react-router'
import { formatDate } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { FigureCard, Numbers } from '#web/ui/figure-card.tsx'
import { Legend, type Swatch } from '#web/ui/pictures.tsx'
import { Download } from '#web/ui/icons/download.tsx'
import { saveFile } from '#web/ui/save-file.ts'
import { EmptyState } from '#web/ui/states.tsx'
import { type FigureRow, figuresCsv } from './figure-table.ts'
import type { Figure } from './figures.ts'
import { figuresTexts as texts } from './figures-texts.ts'

export const blockMark = (className: string) => <rect x="1" y="2" width="14" height="12" className={className} />

export type PlotCardProps = {
  readonly figure: Figure
  readonly legend?: readonly Swatch[]
  /** A control that changes how the chart is drawn. */
  readonly control?: ReactNode
  readonly children: ReactNode
}

/** A card with a chart, its explanation, legend, table and CSV file, or with a text if there are no figures. */
export function PlotCard({
  figure: { title, sentences, table, isEmpty },
  legend = [],
  control,
  children,
}: PlotCardProps) {
  const [isUnfolded, setUnfolded] = useState(false)
  if (isEmpty)
    return (
      <FigureCard
        title={title}
        sentences={sentences}
        isFolded
        after={sentences.length === 0 && <p className="hidden text-sm text-ink-2 @max-[40rem]:block">{texts.empty}</p>}
      >
        <div className="grid min-h-52 flex-1 place-items-center">
          <EmptyState text={texts.empty} />
        </div>
      </FigureCard>
    )
  return (
    <FigureCard
      title={title}
      sentences={sentences}
      isFolded={!isUnfolded}
      control={
        <>
          <Button
            variant="ghost"
            size="sm"
            className="min-h-target @min-[40rem]:hidden"
            aria-expanded={isUnfolded}
            onClick={() => setUnfolded(!isUnfolded)}
          >
            {isUnfolded ? texts.fold : texts.unfold}
            <span className="sr-only"> {title}</span>
          </Button>
          {control !== undefined && (
            <div className={classNames('contents', !isUnfolded && '@max-[40rem]:hidden')}>{control}</div>
          )}
        </>
      }
      table={<NumbersAndFile title={title} table={table} />}
    >
      <figure aria-label={title} className="flex flex-col gap-2">
        {children}
        {legend.length > 0 && (
          <figcaption>
            <Legend items={legend} />
          </figcaption>
        )}
      </figure>
    </FigureCard>
  )
}

function NumbersAndFile({ title, table }: Pick<Figure, 'title' | 'table'>) {
  const save = () =>
    saveFile(
      `${title}-${formatDate(serverNowMs())}`.toLowerCase().replaceAll(/[\s/,]+/g, '-') + '.csv',
      'text/csv;charset=utf-8',
      figuresCsv(table),
    )
  return (
    <div className="flex flex-col items-start gap-3">
      <Numbers
        label={title}
        head={table.head}
        rows={table.rows.map(({ name, cells }) => [name, ...cells.map(({ text }) => text)])}
        named={(name, at) => {
          const row = table.rows[at]
          return row === undefined ? name : <RowName row={row} name={name} />
        }}
      />
      <Button
        variant="outline"
        size="sm"
        className="max-md:min-h-target"
        onClick={save}
        aria-label={texts.csvOf(title)}
      >
        <Download aria-hidden size={16} />
        {texts.csv}
      </Button>
    </div>
  )
}

/** A card for figures without a chart. The card takes the whole width, and its table is always open. */
export function TableCard({ figure: { title, sentences, table } }: { readonly figure: Figure }) {
  return (
    <div className="col-span-full">
      <FigureCard title={title} sentences={sentences}>
        <NumbersAndFile title={title} table={table} />
      </FigureCard>
    </div>
  )
}

export function RowName({ row: { address }, name }: { readonly row: FigureRow; readonly name: string }) {
  return address === undefined ? (
    <span className="min-w-0 truncate" title={name}>
      {name}
    </span>
  ) : (
    <Link
      {...address}
      className="underline decoration-line-strong underline-offset-4 hover:decoration-current max-md:inline-flex max-md:min-h-target max-md:items-center"
    >
      {name}
    </Link>
  )
}
