import { attentionEndpoints } from './attention.ts'
import { backOfficeEndpoints } from './back-office.ts'
import { bankEndpoints } from './banks.ts'
import { bookPageEndpoints } from './book-pages.ts'
import { bookStatusEndpoints } from './book-status.ts'
import { bookEndpoints } from './book.ts'
import { cashierEndpoints } from './cashier.ts'
import { chatEndpoints } from './chat.ts'
import { customerEndpoints } from './customer.ts'
import { diagnosticsEndpoints } from './diagnostics.ts'
import { disputeEndpoints } from './disputes.ts'
import type { RefusalOf } from './endpoint.ts'
import { factorEndpoints } from './factors.ts'
import { fileEndpoints } from './files.ts'
import { finderEndpoints } from './finder.ts'
import { gameEndpoints } from './game.ts'
import { identityEndpoints } from './identity.ts'
import { marketEndpoints } from './market.ts'
import { noticeEndpoints } from './notices.ts'
import { overviewFiguresEndpoints } from './overview-figures.ts'
import { ownAccountEndpoints } from './own-account.ts'
import { limitsEndpoints } from './player-limits.ts'
import { pushEndpoints } from './push.ts'
import { proposalEndpoints } from './proposals.ts'
import { requestReviewEndpoints } from './request-review.ts'
import { refillEndpoints } from './refill.ts'
import { savedViewEndpoints } from './saved-views.ts'
import { signInEndpoints } from './sign-in.ts'
import { staffGameEndpoints } from './staff-game.ts'
import { staffRequestEndpoints } from './staff-requests.ts'
import { staffUserEndpoints } from './staff-users.ts'
import { statisticsEndpoints } from './statistics.ts'
import { walletEndpoints } from './wallet.ts'

/** Every HTTP call as one table (spec §7, rules §6). */
export const endpoints = {
  ...identityEndpoints,
  ...staffUserEndpoints,
  ...signInEndpoints,
  ...ownAccountEndpoints,
  ...factorEndpoints,
  ...walletEndpoints,
  ...bankEndpoints,
  ...cashierEndpoints,
  ...staffRequestEndpoints,
  ...proposalEndpoints,
  ...gameEndpoints,
  ...staffGameEndpoints,
  ...refillEndpoints,
  ...limitsEndpoints,
  ...statisticsEndpoints,
  ...noticeEndpoints,
  ...marketEndpoints,
  ...bookEndpoints,
  ...bookStatusEndpoints,
  ...backOfficeEndpoints,
  ...attentionEndpoints,
  ...overviewFiguresEndpoints,
  ...customerEndpoints,
  ...savedViewEndpoints,
  ...requestReviewEndpoints,
  ...finderEndpoints,
  ...chatEndpoints,
  ...disputeEndpoints,
  ...fileEndpoints,
  ...diagnosticsEndpoints,
  ...pushEndpoints,
  ...bookPageEndpoints,
} as const

/** Every refusal that the call of this name may answer with. */
export type RefusalBy<Name extends keyof typeof endpoints> = RefusalOf<(typeof endpoints)[Name]>
