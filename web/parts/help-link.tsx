import { Link } from '@tanstack/react-router'
import { classNames } from '#web/ui/class-names.ts'

export type HelpLinkProps = {
  /** The question's id in web/features/help/help-texts.ts. */
  readonly question: string
  readonly children: string
  readonly className?: string
}

/** A link from the place that raises a question to its answer at /tro-giup. */
export function HelpLink({ question, children, className }: HelpLinkProps) {
  return (
    <Link
      to="/tro-giup"
      hash={question}
      className={classNames('font-medium text-gold underline-offset-4 hover:underline', className)}
    >
      {children}
    </Link>
  )
}
