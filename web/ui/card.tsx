import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

export type CardProps = ComponentProps<'section'> & {
  readonly isPadded?: boolean
}

/** Name it (`aria-labelledby`) where it has a heading that is no `TitledCard`'s. */
export function Card({ isPadded = true, className, ...rest }: CardProps) {
  return (
    <section
      {...rest}
      className={classNames('rounded-m border border-line bg-surface shadow-card', isPadded && 'p-4', className)}
    />
  )
}
