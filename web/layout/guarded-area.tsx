import {
  type MutationCacheNotifyEvent,
  noop,
  type QueryCacheNotifyEvent,
  QueryClientProvider,
  useQuery,
} from '@tanstack/react-query'
import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Me } from '#contract/identity.ts'
import { delaysMs } from '#web/boot/delays.ts'
import { meQuery } from '#web/features/identity/api.ts'
import { useAccountEvents } from '#web/features/identity/use-me.ts'
import { useBalanceEvents } from '#web/features/wallet/balance.ts'
import { type ApiError, failureText, isRetryable, refusalOf } from '#web/platform/http.ts'
import { afterPause, useLazyPart } from '#web/platform/lazy-part.ts'
import { useIsOnline } from '#web/platform/online.ts'
import { queryClient, refresh } from '#web/platform/query-client.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { ErrorState } from '#web/ui/states.tsx'
import { RoutePending } from './route-states.tsx'
import { NoticeBell } from './notice-bell.tsx'
import { Screen, ScreenTools } from './screen.tsx'
import { TabBar } from './tab-bar.tsx'

const loadPausedAccount = () => import('./paused-account.tsx')
const restoreKnown = async () => {
  const known = await import('#web/platform/last-known.ts')
  known.restoreLastKnown()
  return known
}
const loadLastKnown = afterPause(delaysMs.playTimeReminder, () => import('./last-known-keeper.tsx'))
const loadReminder = afterPause(delaysMs.playTimeReminder, () => import('#web/features/limits/play-time-reminder.tsx'))

const loadNotices = afterPause(delaysMs.notices, () => import('#web/features/notices/notice-follower.tsx'))
const loadPushFollower = afterPause(delaysMs.pushFollower, () => import('#web/features/push/push-follower.tsx'))

export function prefetch(): void {
  queryClient.query(meQuery).catch(noop)
}

export function GuardedArea() {
  return (
    <QueryClientProvider client={queryClient}>
      <AuthenticatedArea />
    </QueryClientProvider>
  )
}

const changePasswordPath = '/change-password'

/** The screens for signed-in users (spec §2.3). A password that staff have set must be changed first (rules §4.2). */
function AuthenticatedArea() {
  useAccessRefusals()
  useAccountEvents()
  useBalanceEvents()
  const me = useQuery(meQuery)
  const isUnreached = me.data === undefined && isRetryable(me.failureReason)
  const isOnline = useIsOnline()
  const { part: known } = useLazyPart(restoreKnown, isUnreached)
  const { part: reminder } = useLazyPart(loadReminder, me.data?.role === 'player')
  const mayReadNotices =
    me.data !== undefined && !me.data.isFrozen && !me.data.mustChangePassword && me.data.mustAddFactor !== true
  const { part: notices } = useLazyPart(loadNotices, mayReadNotices)
  const { part: lastKnown } = useLazyPart(loadLastKnown, me.data?.role === 'player')
  const mustChangePassword = me.data?.mustChangePassword === true
  const { part: pushes } = useLazyPart(loadPushFollower, me.data?.role === 'player' && !mustChangePassword)
  const path = useRouterState({ select: (state) => state.location.pathname })
  const navigate = useNavigate()
  const mustLeave = mustChangePassword && path !== changePasswordPath
  useEffect(() => {
    if (mustLeave) void navigate({ to: changePasswordPath, replace: true })
  }, [mustLeave, navigate])

  if (me.data === undefined) {
    const isUnknown = !isOnline && isUnreached && known !== undefined
    // After a 401 the sign-in form replaces the page, so show no error.
    if (!(me.isError || isUnknown) || isUnauthorized(me.error)) return <RoutePending />
    return (
      <Screen title={commonTexts.somethingWrong} isTitleHidden>
        <ErrorState
          message={isUnknown ? commonTexts.serverUnreachable : failureText(me.error, commonTexts.somethingWrong)}
          isRetrying={me.isFetching}
          onRetry={() => void me.refetch()}
        />
      </Screen>
    )
  }
  if (me.data.isFrozen) return <FrozenAccount me={me.data} />
  if (mustLeave) return <RoutePending />
  return (
    <ScreenTools value={mustChangePassword ? null : <NoticeBell />}>
      <Outlet />
      {reminder !== undefined && <reminder.PlayTimeReminder />}
      {notices !== undefined && mayReadNotices && <notices.NoticeFollower self={me.data} />}
      {pushes !== undefined && <pushes.PushFollower />}
      {lastKnown !== undefined && <lastKnown.LastKnownKeeper />}
    </ScreenTools>
  )
}

/** The user shell (spec §2.2). The document itself scrolls, so that browsers on phones can hide their own bars. */
export function UserShell() {
  return (
    <div data-shell className="mx-auto flex w-full max-w-column flex-1 flex-col">
      <Outlet />
      <TabBar />
    </div>
  )
}

/** Shows the screen of a frozen account. Its code is loaded on demand, since few accounts are frozen. */
function FrozenAccount({ me }: { readonly me: Me }) {
  const { part, hasFailed, retry } = useLazyPart(loadPausedAccount)
  if (part !== undefined) return <part.PausedAccount me={me} />
  if (!hasFailed) return <RoutePending />
  return (
    <Screen title={commonTexts.somethingWrong}>
      <ErrorState message={commonTexts.serverUnreachable} onRetry={retry} />
    </Screen>
  )
}

const isUnauthorized = (error: unknown) => refusalOf(error)?.status === 401

const accessRefusals: ReadonlySet<ApiError['code'] | undefined> = new Set([
  'ACCOUNT_PAUSED',
  'MUST_CHANGE_PASSWORD',
  'MUST_ADD_FACTOR',
  'STAFF_CANNOT_PLAY',
  'CAPABILITY_MISSING',
])

function useAccessRefusals(): void {
  useEffect(() => {
    const judge = (event: QueryCacheNotifyEvent | MutationCacheNotifyEvent) => {
      if (event.type !== 'updated' || event.action.type !== 'error') return
      if (accessRefusals.has(refusalOf(event.action.error)?.code)) void refresh(sharedKeys.me)
    }
    const stopQueries = queryClient.getQueryCache().subscribe(judge)
    const stopMutations = queryClient.getMutationCache().subscribe(judge)
    return () => {
      stopQueries()
      stopMutations()
    }
  }, [])
}
