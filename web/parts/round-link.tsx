import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { classNames } from '#web/ui/class-names.ts'

type RoundLinkProps = {
  /** The receipt of the round, or its page in the back office, which links to the receipt. */
  readonly to?: '/vong/$id' | '/admin/round/$id'
  readonly roundId: string
  readonly children: ReactNode
  readonly label?: string | undefined
  readonly className?: string
}

/** The enlarged ::after makes the link easy to hit with a finger. */
const roundLinkClass =
  'relative rounded-[4px] underline decoration-dotted underline-offset-4 after:absolute after:-inset-x-1 after:-inset-y-2.5 hover:decoration-solid'

export function RoundLink({ to = '/vong/$id', roundId, children, label, className }: RoundLinkProps) {
  return (
    <Link to={to} params={{ id: roundId }} aria-label={label} className={classNames(roundLinkClass, className)}>
      {children}
    </Link>
  )
}
