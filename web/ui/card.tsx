import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

export type CardProps = ComponentProps<'section'> & {
  readonly isPadded?: boolean
}

/** If the card has a heading, pass the heading's id as `aria-labelledby`. `TitledCard` does this by itself. */
export function Card({ isPadded = true, className, ...rest }: CardProps) {
  return (
    <section
      {...rest}
      className={classNames('rounded-m border border-line bg-surface shadow-card', isPadded && 'p-4', className)}
    />
  )
}
