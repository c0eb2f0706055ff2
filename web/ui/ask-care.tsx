import { Link, useLocation } from '@tanstack/react-router'
import { hasSession } from '#web/platform/session.ts'
import { CASE_MAX, commonTexts } from '#web/platform/texts.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { MessageCircleQuestion } from './icons/message-circle-question.tsx'

export type AskCareProps = {
  readonly about?: string
  readonly label?: string
  readonly className?: string
}

/** Links to customer care. Renders nothing in the back office and for visitors who are not signed in. */
export function AskCare({ about, label = commonTexts.askCare, className }: AskCareProps) {
  const isStaffArea = useLocation({ select: ({ pathname }) => pathname.startsWith('/admin') })
  if (isStaffArea || !hasSession()) return null
  return (
    <Link
      to="/support"
      search={about === undefined ? {} : { case: about.slice(0, CASE_MAX) }}
      className={classNames(buttonClass({ variant: 'outline' }), className)}
    >
      <MessageCircleQuestion aria-hidden size={16} strokeWidth={1.8} />
      {label}
    </Link>
  )
}
