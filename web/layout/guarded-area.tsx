import {
  type MutationCacheNotifyEvent,
  noop,
  type QueryCacheNotifyEvent,
  QueryClientProvider,
  useQuery,
} from '@tanstack/react-query'
import { Outlet, useNavigate, useRouterState, Link } from '@tanstack/react-router'
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
import { together } from '#web/platform/signal.ts'
import { commonTexts, screenTitles } from '#web/platform/texts.ts'
import { ErrorState } from '#web/ui/states.tsx'
import { RoutePending } from './route-states.tsx'
import { NoticeBell } from './notice-bell.tsx'
import { Screen, ScreenTools } from './screen.tsx'
import { CircleUser } from '#web/ui/icons/circle-user.tsx'
import { Headset } from '#web/ui/icons/headset.tsx'
import { House } from '#web/ui/icons/house.tsx'
import { TrendingUp } from '#web/ui/icons/trending-up.tsx'
import { shellTexts } from './layout-texts.ts'
import { useIsKeyboardOpen } from './keyboard.ts'
import { UnreadCount } from './unread-count.tsx'

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
    return together(queryClient.getQueryCache().subscribe(judge), queryClient.getMutationCache().subscribe(judge))
  }, [])
}

const tabs = [
  { to: '/', label: screenTitles.home, icon: House },
  { to: '/investment', label: screenTitles.marketList, icon: TrendingUp },
  { to: '/support', label: screenTitles.support, icon: Headset },
  { to: '/account', label: screenTitles.account, icon: CircleUser },
] as const

function TabBar() {
  const isKeyboardOpen = useIsKeyboardOpen()
  if (isKeyboardOpen) return null
  return (
    <nav
      aria-label={shellTexts.navigation}
      className="sticky bottom-0 z-20 mt-auto shrink-0 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] print:hidden"
    >
      <ul className="grid grid-cols-4">
        {tabs.map(({ to, label, icon: Icon }) => (
          <li key={label}>
            <Link
              to={to}
              activeOptions={{ exact: to === '/', includeSearch: false }}
              className="group relative grid h-14 content-center justify-items-center gap-0.5 text-xs font-medium text-ink-3 transition-colors hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:text-ink"
            >
              <Icon aria-hidden size={22} strokeWidth={1.7} className="group-aria-[current=page]:text-gold" />
              <span className="max-w-full truncate px-0.5">{label}</span>
              {to === '/support' && (
                <span className="absolute top-1 left-1/2 ml-1.5">
                  <UnreadCount />
                </span>
              )}
              <span className="absolute bottom-0 hidden h-[3px] w-8 rounded-t-pill bg-gold group-aria-[current=page]:block" />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
