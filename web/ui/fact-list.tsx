import { Fragment, type ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** Pairs of name and value, in reading order. `false` stands for a pair that is left out. */
export type Facts = ReadonlyArray<readonly [name: string, value: ReactNode] | false>

export type FactListProps = {
  readonly facts: Facts
  readonly className?: string
  readonly valueClassName?: string
}

export function FactList({ facts, className, valueClassName }: FactListProps) {
  return (
    <dl className={classNames('grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 tabular-nums', className ?? 'text-sm')}>
      {facts
        .filter((fact) => fact !== false)
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt className="text-ink-3">{name}</dt>
            <dd className={classNames('min-w-0 [overflow-wrap:anywhere]', valueClassName)}>{value}</dd>
          </Fragment>
        ))}
    </dl>
  )
}
