import { type ReactNode, useId } from 'react'
import { Card } from './card.tsx'
import { classNames } from './class-names.ts'
import { pictureTexts as texts } from './picture-texts.ts'

export type FigureCardProps = {
  readonly title: string
  readonly sentences: readonly string[]
  readonly table?: ReactNode
  /** Instead of `table`: the table has the card's title. */
  readonly numbers?: Omit<NumbersProps, 'label'>
  readonly children?: ReactNode
  readonly after?: ReactNode
  readonly control?: ReactNode
  /** If true, `children` and `table` are hidden while the container is narrower than 40 rem. */
  readonly isFolded?: boolean
}

export function FigureCard({
  title,
  sentences,
  numbers,
  table = numbers && <Numbers label={title} {...numbers} />,
  children,
  after,
  control,
  isFolded = false,
}: FigureCardProps) {
  const id = useId()
  const whenFolded = isFolded && '@max-[40rem]:hidden'
  return (
    <Card aria-labelledby={id} className="flex flex-col gap-3 print:break-inside-avoid print:shadow-none">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h2 id={id} className="text-base font-semibold">
          {title}
        </h2>
        {control}
      </div>
      {children !== undefined && <div className={classNames('contents', whenFolded)}>{children}</div>}
      <div className="flex flex-col gap-1 text-sm text-ink-2">
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      {table !== undefined && (
        <details className={classNames('text-sm', whenFolded)}>
          <summary className="flex min-h-target cursor-pointer items-center font-medium text-gold print:hidden">
            {texts.table}
            <span className="sr-only"> {title}</span>
          </summary>
          {table}
        </details>
      )}
      {after}
    </Card>
  )
}

export type NumbersProps = {
  readonly label: string
  readonly head: readonly string[]
  readonly rows: ReadonlyArray<readonly string[]>
  readonly named?: (name: string, at: number) => ReactNode
}

export function Numbers({ label, head, rows, named = (name) => name }: NumbersProps) {
  const [rowHead, ...columns] = head
  return (
    <div
      role="group"
      aria-label={texts.tableOf(label)}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls needs the keyboard
      tabIndex={0}
      className="max-h-96 max-w-full overflow-auto print:max-h-none"
    >
      <table className="w-full text-right tabular-nums">
        <thead>
          <tr className="align-bottom text-xs text-ink-3">
            <th scope="col" className="py-1 pr-2 text-left font-medium">
              {rowHead}
            </th>
            {columns.map((column) => (
              <th key={column} scope="col" className="py-1 pl-2 font-medium">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name = '', ...cells], row) => (
            // The key is the index, since two rows may have the same name, such as changes within the same second.
            // oxlint-disable-next-line react/no-array-index-key -- see above
            <tr key={row} className="border-t border-line">
              <th scope="row" className="py-1 pr-2 text-left font-normal">
                {named(name, row)}
              </th>
              {cells.map((cell, at) => (
                <td key={columns[at]} className="py-1 pl-2">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
