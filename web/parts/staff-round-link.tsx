import { Link } from '@tanstack/react-router'
import { classNames } from '#web/ui/class-names.ts'
import { type RoundLinkProps, roundLinkClass } from '#web/parts/round-link.tsx'

export function StaffRoundLink({ roundId, children, label, className }: RoundLinkProps) {
  return (
    <Link
      to="/admin/round/$id"
      params={{ id: roundId }}
      aria-label={label}
      className={classNames(roundLinkClass, className)}
    >
      {children}
    </Link>
  )
}
