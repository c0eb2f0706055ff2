import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

export type CardProps = ComponentProps<'section'> & {
  /** False when the content brings its own space, such as a list to the edges. */
  readonly isPadded?: boolean
}

/** A quiet surface that holds what belongs together. Name it (`aria-labelledby`) where it has a heading. */
export function Card({ isPadded = true, className, ...rest }: CardProps) {
  return (
    <section
      {...rest}
      className={classNames('rounded-m border border-line bg-surface shadow-card', isPadded && 'p-4', className)}
    />
  )
}
