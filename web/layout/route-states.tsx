import { Link, useLocation } from '@tanstack/react-router'
import { commonTexts } from '#web/platform/texts.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { EmptyState, ErrorState } from '#web/ui/states.tsx'
import { Screen } from './screen.tsx'

/** The screen while a route loads or the user is not known yet (spec §2.3). */
export function RoutePending() {
  return (
    <p role="status" className="grid flex-1 place-items-center py-16 text-sm text-ink-2">
      {commonTexts.loading}
    </p>
  )
}

/** The screen after a route failed. Its button reloads the page, since a new version may have replaced the files. */
export function RouteError() {
  const pathname = useLocation({ select: (location) => location.pathname })
  return (
    <Screen title={commonTexts.somethingWrong} isTitleHidden>
      <ErrorState
        message={commonTexts.screenFailed}
        about={commonTexts.caseOf(commonTexts.screenFailed, pathname)}
        onRetry={() => globalThis.location.reload()}
      />
    </Screen>
  )
}

export function RouteNotFound() {
  return (
    <Screen title={commonTexts.notFoundTitle}>
      <EmptyState
        text={commonTexts.notFound}
        action={
          <Link to="/" className={buttonClass({ variant: 'outline' })}>
            {commonTexts.notFoundAction}
          </Link>
        }
      />
    </Screen>
  )
}
