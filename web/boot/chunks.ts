/**
 * Chunks of the build, with their modules. Over HTTP/1.1 every file costs a round trip, so a first load of many small
 * files is slow (docs/decisions/017-few-chunks.md). Modules that are not listed are split by the dynamic imports of the
 * source. scripts/chunks-plugin.ts stops the build if a listed module does not exist or ends up in another chunk.
 */

export type ChunkPlan = {
  readonly name: string
  readonly files?: readonly string[]
  readonly packages?: readonly string[]
  /** Icons by file name. `shared`: the icons that several entries of the build need and no earlier chunk contains. */
  readonly icons?: readonly string[] | 'shared'
}

const words = (text: string) => text.split(' ')
const below = (folder: string, names: string) => words(names).map((name) => `${folder}/${name}`)

/** A module goes into the first chunk of this list that names it or contains a module that imports it. */
export const chunkPlans: readonly ChunkPlan[] = [
  // These modules change only with their packages, so browsers can keep the file across releases.
  {
    name: 'core',
    packages: [
      'react',
      'react-dom',
      'scheduler',
      ...below('@tanstack', 'react-router router-core react-store store history'),
    ],
  },
  {
    name: 'shell',
    files: [
      ...below('web/ui', 'class-names.ts button.tsx card.tsx field.tsx states.tsx icon.tsx skeleton.tsx toast.tsx'),
      ...below('web/ui', 'lazy-component.ts'),
      ...below('web/platform', 'texts.ts early-calls.ts pause.ts storage.ts session.ts theme.ts online.ts'),
      ...below('web/platform', 'lazy-part.ts signal.ts steps.ts tab-storage.ts'),
      ...below('web/boot', 'fonts.ts delays.ts follow-errors.ts stray-drops.ts'),
      ...below('web/layout', 'root.tsx screen.tsx route-states.tsx navigation.ts layout-texts.ts use-return.ts'),
      'web/features/identity/public-config.ts',
      'domain/search-text.ts',
    ],
  },
  {
    name: 'sign-in',
    files: [
      ...below('web/ui', 'text-input.tsx form-failure.tsx refused-field.ts use-prompt.ts text-area.tsx'),
      'web/layout/sign-in-frame.tsx',
      'web/features/identity/sign-in-texts.ts',
    ],
    icons: words('eye eye-off'),
  },
  { name: 'chart', packages: ['lightweight-charts', 'fancy-canvas'] },
  // The screens that require the access token need these modules; the sign-in form prefetches them.
  {
    name: 'signed-in',
    packages: below('@tanstack', 'react-query query-core'),
    files: [
      ...below('web/ui', 'amounts.tsx badge.tsx banner.tsx tones.ts'),
      'web/parts/play-money-line.tsx',
      ...below('web/platform', 'unread-notices.ts query-client.ts query-keys.ts formats.ts ends-word.ts ticker.ts'),
      ...below('web/platform', 'socket.ts'),
      ...below('web/layout', 'guarded-area.tsx notice-bell.tsx unread-count.tsx keyboard.ts'),
      ...below('web/features/identity', 'api.ts use-me.ts'),
      'web/features/market/api.ts',
      'web/features/wallet/balance.ts',
    ],
    icons: words('bell headset house info scroll-text shield-check timer trending-up triangle-alert wallet'),
  },
  {
    name: 'socket',
    packages: ['socket.io-client', 'socket.io-parser', 'engine.io-client', 'engine.io-parser'],
    files: below('contract', 'chat.ts events.ts'),
  },
  { name: 'ticking', files: ['web/ui/ticking-text.tsx'] },
  {
    name: 'play',
    files: [
      ...below('web/ui', 'segmented-control.tsx tabs.tsx'),
      ...below('web/features/game', 'api.ts bet-words.ts loading-bets.tsx'),
    ],
  },
  // Small modules that many screens import. As separate files they would make every page larger: the inline script of
  // web/boot/head.ts lists the files of all screens.
  {
    name: 'small',
    files: [
      ...below(
        'web/ui',
        'monogram.tsx save-file.ts theme-texts.ts pending.tsx typed-texts.ts fact-list.tsx pass-focus.ts use-act.ts',
      ),
      ...below('web/parts', 'round-link.tsx help-link.tsx'),
      'web/layout/use-close-step.ts',
      'web/platform/intent-keys.ts',
      'web/features/game/bet-form-id.ts',
      'domain/book/spelling.ts',
      'domain/market/source-label.ts',
      'domain/typed-number.ts',
    ],
  },
  { name: 'numbers', packages: ['react-number-format'], files: ['web/ui/number-input.tsx'] },
  {
    name: 'dialog',
    files: [
      ...below('web/ui', 'dialog.tsx confirm-dialog.tsx'),
      'web/features/account/use-log-out.tsx',
      'web/layout/fresh-factor.tsx',
      'web/features/admin-security/keep-dialog.ts',
    ],
  },
  // Icons that few screens show, kept out of the chunk `icons`, which most screens load.
  {
    name: 'rare-icons',
    files: ['web/ui/titled-card.tsx'],
    icons: [
      ...words('snowflake sun shield-alert shield-off scale gavel pencil-line monitor smartphone bookmark gamepad-2'),
      ...words('user-round-check users-round columns-3 sliders-horizontal chevrons-left chevrons-right'),
      ...words('chevrons-up-down chart-no-axes-column keyboard arrow-down arrow-up printer download key-round'),
      ...words('user-round landmark plus log-out lock arrow-left-right circle-check clock history trending-down'),
      ...words('message-square-warning file-text'),
    ],
  },
  { name: 'icons', icons: 'shared' },
  { name: 'sub-screen', files: below('web/layout', 'back-link.tsx sub-screen.tsx') },
  {
    name: 'book',
    files: [
      'contract/book-pages.ts',
      ...below('domain/book', 'entry.ts parse-entry.ts bytes.ts'),
      'domain/statistics/chance.ts',
      'web/features/book/folded.tsx',
      ...below('web/ui', 'pictures.tsx figure-card.tsx picture-texts.ts use-print.ts'),
    ],
  },
  { name: 'cashier', files: ['contract/cashier.ts'] },
  { name: 'limits', files: ['contract/player-limits.ts', 'web/features/limits/reminder-options.ts'] },
  // Players' screens and the back office share the modules from here to `office`. In the chunk `office`, these modules
  // would make players' phones download that whole chunk.
  { name: 'disputes', files: ['contract/disputes.ts', 'domain/disputes/dispute.ts'] },
  { name: 'day-field', files: ['web/ui/day-field.tsx'] },
  { name: 'menu', files: ['web/ui/menu.tsx'] },
  { name: 'ledger', files: ['contract/wallet.ts'] },
  { name: 'own-account', files: ['contract/own-account.ts'] },
  { name: 'book-status', files: ['contract/book-status.ts'] },
  {
    name: 'office',
    files: [
      ...below('contract', 'back-office.ts capability-words.ts'),
      ...below('web/layout', 'admin-page.tsx admin-shell.tsx admin-sidebar.tsx'),
      ...below('web/layout', 'admin-texts.ts admin-user-menu.tsx'),
      ...below('web/ui', 'media-query.ts use-width.ts'),
      ...below('web/platform', 'day-minute.ts refresh-after.ts'),
      ...below('web/parts', 'account-states.ts account-states-texts.ts stake-bar.tsx'),
      ...below('web/lists', 'list-pages.ts totals-line.tsx use-admin-refresh.ts waiting-line.tsx'),
      ...below('web/lists', 'row-button.tsx use-admin-list.ts use-open-user.ts use-table-search.ts details-room.ts'),
      'web/screens/admin/proposal-dialog.tsx',
      'web/features/admin-overview/range.ts',
      ...below('web/features/admin-users', 'api.ts capabilities-text.ts use-user-rights.ts bulk-plan.ts'),
    ],
  },
  {
    name: 'requests',
    files: [
      ...below('web/features/admin-requests', 'request-act.ts request-acts.tsx request-status.tsx viewers.tsx'),
      ...below('web/features/admin-requests', 'use-rights.ts'),
      ...below('web/parts', 'panel-part.tsx overtaken.tsx'),
    ],
  },
  {
    name: 'care',
    files: [
      ...below('web/features/chat', 'image-source.ts chat-session.ts chat-frame.tsx chat-texts.ts api.ts use-chat.ts'),
      ...below('web/features/chat', 'person.tsx sound.ts'),
      'web/platform/money-warning-texts.ts',
    ],
  },
  {
    name: 'attention',
    files: [
      ...below('web/features/admin-attention', 'api.ts admin-attention-texts.ts attention-words.ts desktop-choice.ts'),
      'contract/attention.ts',
    ],
  },
  { name: 'figures', files: below('web/features/admin-overview', 'figures-texts.ts range-bar.tsx') },
  {
    name: 'writing',
    files: [
      ...below('web/features', 'chat/staff-api.ts admin-customer/api.ts'),
      'web/layout/open-writing.ts',
      'web/parts/found-messages.ts',
    ],
  },
]
