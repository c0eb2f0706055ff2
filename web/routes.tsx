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
    const returnTo = left ?? (cameByHistory() ? undefined : location.href)
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
    component: lazyRouteComponent(() => import('#web/screens/login-screen.tsx'), 'LoginScreen'),
    staticData: { title: titles.login },
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/register',
    beforeLoad: leaveWhenSignedIn,
    component: lazyRouteComponent(() => import('#web/screens/register-screen.tsx'), 'RegisterScreen'),
    staticData: { title: titles.register },
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/tro-giup',
    component: lazyRouteComponent(() => import('#web/screens/help-screen.tsx'), 'HelpScreen'),
    staticData: { title: titles.help },
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/vong/$id',
    component: lazyRouteComponent(() => import('#web/screens/round-screen.tsx'), 'RoundScreen'),
    staticData: { title: titles.round },
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/so-mo',
    // The book screen's list of notes validates these parameters later, because its code is not loaded yet.
    validateSearch: (search): BookSearch => search as BookSearch,
    component: lazyRouteComponent(() => import('#web/screens/book-screen.tsx'), 'BookScreen'),
    staticData: { title: titles.book },
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/kiem-chung',
    /** `vong` is the id of the round with which the form is filled in. */
    validateSearch: (search): { vong?: string | undefined } => ({ vong: shortText(search['vong']) }),
    component: lazyRouteComponent(() => import('#web/screens/verify-screen.tsx'), 'VerifyScreen'),
    staticData: { title: titles.verify },
  }),
] as const

const inShell = [
  createRoute({
    getParentRoute: () => shell,
    path: '/',
    component: lazyRouteComponent(() => import('#web/screens/home-screen.tsx'), 'HomeScreen'),
    staticData: { title: titles.home },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/transaction',
    validateSearch: (search): { form?: 'deposit' | 'withdrawal' | undefined; request?: string | undefined } => ({
      form: search['form'] === 'deposit' || search['form'] === 'withdrawal' ? search['form'] : undefined,
      request: shortText(search['request']),
    }),
    component: lazyRouteComponent(() => import('#web/screens/transaction-screen.tsx'), 'TransactionScreen'),
    staticData: { title: titles.transaction },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/investment',
    loader: prefetched(marketScreen),
    component: lazyRouteComponent(marketScreen, 'InvestmentScreen'),
    staticData: { title: titles.marketList },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/investment/game',
    /** `from` is the coin that the user pressed in the market. Rounds use gold alone, never a coin (rules §5). */
    validateSearch: (search): { from?: string | undefined } => ({ from: shortText(search['from']) }),
    loader: prefetched(gameScreen),
    component: lazyRouteComponent(gameScreen, 'GameScreen'),
    staticData: { title: titles.game },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/bank',
    component: lazyRouteComponent(() => import('#web/screens/bank-screen.tsx'), 'BankScreen'),
    staticData: { title: titles.bank },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/account',
    component: lazyRouteComponent(() => import('#web/screens/account-screen.tsx'), 'AccountScreen'),
    staticData: { title: titles.account },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/account/ledger',
    component: lazyRouteComponent(() => import('#web/screens/ledger-screen.tsx'), 'LedgerScreen'),
    staticData: { title: titles.ledger },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/account/bets',
    validateSearch: (search): { bet?: string | undefined } => ({ bet: shortText(search['bet']) }),
    component: lazyRouteComponent(() => import('#web/screens/bets-screen.tsx'), 'BetsScreen'),
    staticData: { title: titles.bets },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/account/statistics',
    component: lazyRouteComponent(() => import('#web/screens/statistics-screen.tsx'), 'StatisticsScreen'),
    staticData: { title: titles.statistics },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/account/limits',
    component: lazyRouteComponent(() => import('#web/screens/limits-screen.tsx'), 'LimitsScreen'),
    staticData: { title: titles.limits },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/account/notifications',
    component: lazyRouteComponent(() => import('#web/screens/notifications-screen.tsx'), 'NotificationsScreen'),
    staticData: { title: titles.notifications },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/account/settings',
    component: lazyRouteComponent(() => import('#web/screens/settings-screen.tsx'), 'SettingsScreen'),
    staticData: { title: titles.settings },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/support',
    /** `case` is the text that "Hỏi CSKH" copies to the message field. */
    validateSearch: (search): { case?: string | undefined; conversation?: string | undefined } => ({
      case: typeof search['case'] === 'string' ? search['case'].slice(0, CASE_MAX) : undefined,
      conversation: shortText(search['conversation']),
    }),
    component: lazyRouteComponent(() => import('#web/screens/support-screen.tsx'), 'SupportScreen'),
    staticData: { title: titles.support },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/change-password',
    component: lazyRouteComponent(() => import('#web/screens/change-password-screen.tsx'), 'ChangePasswordScreen'),
    staticData: { title: titles.changePassword },
  }),
] as const

const games = createRoute({
  getParentRoute: () => guarded,
  path: '/games',
  loader: prefetched(gameScreen),
  component: lazyRouteComponent(gameScreen, 'BareGameScreen'),
  staticData: { title: titles.game },
})

const inOffice = [
  createRoute({
    getParentRoute: () => admin,
    path: '/',
    component: lazyRouteComponent(() => import('#web/screens/admin/overview-screen.tsx'), 'OverviewScreen'),
    staticData: { title: titles.admin },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/user',
    component: lazyRouteComponent(() => import('#web/screens/admin/users-screen.tsx'), 'UsersScreen'),
    staticData: { title: titles.account },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/user/$id',
    component: lazyRouteComponent(() => import('#web/screens/admin/customer-screen.tsx'), 'CustomerScreen'),
    staticData: { title: titles.adminCustomer },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/transaction',
    component: lazyRouteComponent(() => import('#web/screens/admin/requests-screen.tsx'), 'RequestsScreen'),
    staticData: { title: titles.transaction },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/game',
    loader: prefetched(roundsScreen),
    component: lazyRouteComponent(roundsScreen, 'RoundsScreen'),
    staticData: { title: titles.adminGame },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/round/$id',
    component: lazyRouteComponent(() => import('#web/screens/admin/round-screen.tsx'), 'AdminRoundScreen'),
    staticData: { title: titles.adminRound },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/history',
    component: lazyRouteComponent(() => import('#web/screens/admin/bets-screen.tsx'), 'BetsScreen'),
    staticData: { title: titles.adminHistory },
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
    component: lazyRouteComponent(() => import('#web/screens/admin/messages-screen.tsx'), 'MessagesScreen'),
    staticData: { title: titles.adminChat },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/care-report',
    component: lazyRouteComponent(() => import('#web/screens/admin/care-report-screen.tsx'), 'CareReportScreen'),
    staticData: { title: titles.adminCareReport },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/disputes',
    component: lazyRouteComponent(() => import('#web/screens/admin/disputes-screen.tsx'), 'DisputesScreen'),
    staticData: { title: titles.adminDisputes },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/proposals',
    component: lazyRouteComponent(() => import('#web/screens/admin/proposals-screen.tsx'), 'ProposalsScreen'),
    staticData: { title: titles.adminProposals },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/audit',
    component: lazyRouteComponent(() => import('#web/screens/admin/audit-screen.tsx'), 'AuditScreen'),
    staticData: { title: titles.adminAudit },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/security',
    component: lazyRouteComponent(() => import('#web/screens/admin/security-screen.tsx'), 'SecurityScreen'),
    staticData: { title: titles.adminSecurity },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/system',
    component: lazyRouteComponent(() => import('#web/screens/admin/system-screen.tsx'), 'SystemScreen'),
    staticData: { title: titles.adminSystem },
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
