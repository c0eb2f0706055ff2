import { Link } from '@tanstack/react-router'

export type HelpLinkProps = {
  /** The id of a question in web/features/help/help-texts.ts. */
  readonly question: string
  readonly children: string
}

export function HelpLink({ question, children }: HelpLinkProps) {
  return (
    <Link to="/tro-giup" hash={question} className="font-medium text-gold underline-offset-4 hover:underline">
      {children}
    </Link>
  )
}
