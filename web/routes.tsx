import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { delaysMs } from '#web/boot/delays.ts'
import { Root } from '#web/layout/root.tsx'
import { RouteError, RouteNotFound, RoutePending } from '#web/layout/route-states.tsx'
import { cameByHistory } from '#web/layout/use-return.ts'
import { hasSession } from '#web/platform/session.ts'
import { takeReturnPath } from '#web/platform/tab-storage.ts'
import { CASE_MAX, screenTitles as titles } from '#web/platform/texts.ts'
import type { BookSearch } from '#web/features/book/notes-search.ts'
import type { TableSearch } from '#web/lists/table-search.ts'

/** The routes of spec §2. The code of each screen is loaded only when the screen is needed. */

const signedIn = () => import('#web/layout/guarded-area.tsx')
const gameScreen = () => import('#web/screens/game-screen.tsx')
const marketScreen = () => import('#web/screens/investment-screen.tsx')
const roundsScreen = () => import('#web/screens/admin/rounds-screen.tsx')

/** Returns a loader that loads a screen's code and starts to fetch its first data, without waiting for the answers. */
const prefetched =
  (load: () => Promise<{ readonly prefetch: (search: Readonly<Record<string, unknown>>) => void }>) =>
  async ({ location }: { readonly location: { readonly search: object } }) =>
    (await load()).prefetch({ ...location.search })

/** The title of a screen and its component, whose code is loaded when the screen is needed. */
const screen = <Module extends Readonly<Record<string, unknown>>, Name extends keyof Module>(
  title: string,
  load: () => Promise<Module>,
  name: Name,
) => ({ component: lazyRouteComponent(load, name), staticData: { title } })

const shortText = (value: unknown) => (typeof value === 'string' && value.length <= 100 ? value : undefined)

const root = createRootRoute({ component: Root })

const leaveWhenSignedIn = () => {
  if (hasSession()) throw redirect({ to: '/', replace: true })
}

/* Without an access token in this browser, the routes below `guarded` redirect to /login (spec §2, §6). */

const guarded = createRoute({
  getParentRoute: () => root,
  id: 'guarded',
  beforeLoad: ({ location }) => {
    // Take (and delete) the return path first: if a user is signed in, the path of an ended session must not remain.
    const left = takeReturnPath()
    if (hasSession()) return
    const returnTo = left ?? (cameByHistory(location) ? undefined : location.href)
    throw redirect({ to: '/login', replace: true, state: { returnTo } })
  },
  loader: prefetched(signedIn),
  // Run the loader only when the user enters this area, not at each navigation inside.
  shouldReload: false,
  component: lazyRouteComponent(signedIn, 'GuardedArea'),
})

const shell = createRoute({
  getParentRoute: () => guarded,
  id: 'shell',
  component: lazyRouteComponent(signedIn, 'UserShell'),
})

const admin = createRoute({
  getParentRoute: () => guarded,
  path: '/admin',
  validateSearch: (search): TableSearch => search as TableSearch,
  component: lazyRouteComponent(() => import('#web/layout/admin-area.tsx'), 'AdminArea'),
  notFoundComponent: lazyRouteComponent(() => import('#web/layout/admin-area.tsx'), 'AdminNotFound'),
})

const forEverybody = [
  createRoute({
    getParentRoute: () => root,
    path: '/login',
    beforeLoad: leaveWhenSignedIn,
    ...screen(titles.login, () => import('#web/screens/login-screen.tsx'), 'LoginScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/register',
    beforeLoad: leaveWhenSignedIn,
    ...screen(titles.register, () => import('#web/screens/register-screen.tsx'), 'RegisterScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/tro-giup',
    ...screen(titles.help, () => import('#web/screens/help-screen.tsx'), 'HelpScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/vong/$id',
    ...screen(titles.round, () => import('#web/screens/round-screen.tsx'), 'RoundScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/so-mo',
    // The book screen's list of notes validates these parameters later, because its code is not loaded yet.
    validateSearch: (search): BookSearch => search as BookSearch,
    ...screen(titles.book, () => import('#web/screens/book-screen.tsx'), 'BookScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/kiem-chung',
    /** `vong` is the id of the round with which the form is filled in. */
    validateSearch: (search): { vong?: string | undefined } => ({ vong: shortText(search['vong']) }),
    ...screen(titles.verify, () => import('#web/screens/verify-screen.tsx'), 'VerifyScreen'),
  }),
] as const

const inShell = [
  createRoute({
    getParentRoute: () => shell,
    path: '/',
    ...screen(titles.home, () => import('#web/screens/home-screen.tsx'), 'HomeScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/transaction',
    validateSearch: (search): { form?: 'deposit' | 'withdrawal' | undefined; request?: string | undefined } => ({
      form: search['form'] === 'deposit' || search['form'] === 'withdrawal' ? search['form'] : undefined,
      request: shortText(search['request']),
    }),
    ...screen(titles.transaction, () => import('#web/screens/transaction-screen.tsx'), 'TransactionScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/investment',
    loader: prefetched(marketScreen),
    ...screen(titles.marketList, marketScreen, 'InvestmentScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/investment/game',
    /** `from` is the coin that the user pressed in the market. Rounds use gold alone, never a coin (rules §5). */
    validateSearch: (search): { from?: string | undefined } => ({ from: shortText(search['from']) }),
    loader: prefetched(gameScreen),
    ...screen(titles.game, gameScreen, 'GameScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/bank',
    ...screen(titles.bank, () => import('#web/screens/bank-screen.tsx'), 'BankScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/account',
    ...screen(titles.account, () => import('#web/screens/account-screen.tsx'), 'AccountScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/account/ledger',
    ...screen(titles.ledger, () => import('#web/screens/ledger-screen.tsx'), 'LedgerScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/account/bets',
    validateSearch: (search): { bet?: string | undefined } => ({ bet: shortText(search['bet']) }),
    ...screen(titles.bets, () => import('#web/screens/bets-screen.tsx'), 'BetsScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/account/statistics',
    ...screen(titles.statistics, () => import('#web/screens/statistics-screen.tsx'), 'StatisticsScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/account/limits',
    ...screen(titles.limits, () => import('#web/screens/limits-screen.tsx'), 'LimitsScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/account/notifications',
    ...screen(titles.notifications, () => import('#web/screens/notifications-screen.tsx'), 'NotificationsScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/account/settings',
    ...screen(titles.settings, () => import('#web/screens/settings-screen.tsx'), 'SettingsScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/support',
    /** `case` is the text that "Hỏi CSKH" copies to the message field. */
    validateSearch: (search): { case?: string | undefined; conversation?: string | undefined } => ({
      case: typeof search['case'] === 'string' ? search['case'].slice(0, CASE_MAX) : undefined,
      conversation: shortText(search['conversation']),
    }),
    ...screen(titles.support, () => import('#web/screens/support-screen.tsx'), 'SupportScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/change-password',
    ...screen(titles.changePassword, () => import('#web/screens/change-password-screen.tsx'), 'ChangePasswordScreen'),
  }),
] as const

const games = createRoute({
  getParentRoute: () => guarded,
  path: '/games',
  loader: prefetched(gameScreen),
  ...screen(titles.game, gameScreen, 'BareGameScreen'),
})

const inOffice = [
  createRoute({
    getParentRoute: () => admin,
    path: '/',
    ...screen(titles.admin, () => import('#web/screens/admin/overview-screen.tsx'), 'OverviewScreen'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/user',
    ...screen(titles.account, () => import('#web/screens/admin/users-screen.tsx'), 'UsersScreen'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/user/$id',
    ...screen(titles.adminCustomer, () => import('#web/screens/admin/customer-screen.tsx'), 'CustomerScreen'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/transaction',
    ...screen(titles.transaction, () => import('#web/screens/admin/requests-screen.tsx'), 'RequestsScreen'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/game',
    loader: prefetched(roundsScreen),
    ...screen(titles.adminGame, roundsScreen, 'RoundsScreen'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/round/$id',
    ...screen(titles.adminRound, () => import('#web/screens/admin/round-screen.tsx'), 'AdminRoundScreen'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/history',
    ...screen(titles.adminHistory, () => import('#web/screens/admin/bets-screen.tsx'), 'BetsScreen'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/chat',
    /**
     * `search` is the text to search for, `message` the id of the found message, `filter` the filter of the list of
     * conversations: `tag:…` or `topic:…`.
     */
    validateSearch: (
      search,
    ): Partial<Record<'conversation' | 'search' | 'message' | 'filter', string | undefined>> => ({
      conversation: shortText(search['conversation']),
      search: shortText(search['search']),
      message: shortText(search['message']),
      filter: shortText(search['filter']),
    }),
    ...screen(titles.adminChat, () => import('#web/screens/admin/messages-screen.tsx'), 'MessagesScreen'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/care-report',
    ...screen(titles.adminCareReport, () => import('#web/screens/admin/care-report-screen.tsx'), 'CareReportScreen'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/disputes',
    ...screen(titles.adminDisputes, () => import('#web/screens/admin/disputes-screen.tsx'), 'DisputesScreen'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/proposals',
    ...screen(titles.adminProposals, () => import('#web/screens/admin/proposals-screen.tsx'), 'ProposalsScreen'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/audit',
    ...screen(titles.adminAudit, () => import('#web/screens/admin/audit-screen.tsx'), 'AuditScreen'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/security',
    ...screen(titles.adminSecurity, () => import('#web/screens/admin/security-screen.tsx'), 'SecurityScreen'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/system',
    ...screen(titles.adminSystem, () => import('#web/screens/admin/system-screen.tsx'), 'SystemScreen'),
  }),
] as const

const routeTree = root.addChildren([
  ...forEverybody,
  guarded.addChildren([shell.addChildren(inShell), games, admin.addChildren(inOffice)]),
])

export const makeRouter = () =>
  createRouter({
    routeTree,
    scrollRestoration: true,
    // Touching or hovering over a link fetches its screen's code, so that the code is there when the finger lifts.
    defaultPreload: 'intent',
    defaultPendingComponent: RoutePending,
    // If a screen loads longer than this, the loading text appears. Until then the page stays as it was.
    defaultPendingMs: delaysMs.firstPicture,
    defaultPendingMinMs: 0,
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: RouteNotFound,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
