import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { failureText, isUnexpected } from '#web/platform/http.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { AskCare } from '#web/ui/ask-care.tsx'
import { Button } from './button.tsx'
import type { IconComponent } from './icon.tsx'
import { CircleAlert } from './icons/circle-alert.tsx'
import { Inbox } from './icons/inbox.tsx'

export type EmptyStateProps = {
  readonly text: string
  readonly action?: ReactNode
  readonly icon?: IconComponent
}

export function EmptyState({ text, action, icon: Icon = Inbox }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-10 text-center">
      <Icon aria-hidden size={32} strokeWidth={1.4} className="text-ink-3" />
      <p className="max-w-[36ch] text-sm text-ink-2">{text}</p>
      {action}
    </div>
  )
}

export type ErrorStateProps = {
  readonly message: string
  readonly onRetry?: () => void
  readonly isRetrying?: boolean
  /** Adds a link "Hỏi CSKH" with this text, for errors that a retry alone may not solve. */
  readonly about?: string | undefined
}

export function ErrorState({ message, onRetry, isRetrying = false, about }: ErrorStateProps) {
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-4 py-10 text-center">
      <CircleAlert aria-hidden size={32} strokeWidth={1.4} className="text-down" />
      <p className="max-w-[36ch] text-sm text-ink-2">{message}</p>
      {onRetry !== undefined && (
        <Button variant="outline" isBusy={isRetrying} onClick={onRetry}>
          {commonTexts.retry}
        </Button>
      )}
      {about !== undefined && <AskCare about={about} />}
    </div>
  )
}

export type QueryFailureProps = {
  readonly query: { readonly error: unknown; readonly isFetching: boolean; readonly refetch: () => unknown }
  readonly fallback?: string | undefined
}

export function QueryFailure({ query, fallback = commonTexts.somethingWrong }: QueryFailureProps) {
  const pathname = useLocation({ select: (location) => location.pathname })
  const message = failureText(query.error, fallback)
  return (
    <ErrorState
      message={message}
      about={isUnexpected(query.error) ? commonTexts.caseOf(message, pathname) : undefined}
      isRetrying={query.isFetching}
      onRetry={() => void query.refetch()}
    />
  )
}
