import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

export type CardProps = ComponentProps<'section'> & {
  readonly isPadded?: boolean
}

/** A card. Give it `aria-labelledby` if it has a heading, except in a `TitledCard`, which does that itself. */
export function Card({ isPadded = true, className, ...rest }: CardProps) {
  return (
    <section
      {...rest}
      className={classNames('rounded-m border border-line bg-surface shadow-card', isPadded && 'p-4', className)}
    />
  )
}
