import { backOfficeEndpoints } from './back-office.ts'
import { bankEndpoints } from './banks.ts'
import { bookPageEndpoints } from './book-pages.ts'
import { bookStatusEndpoints } from './book-status.ts'
import { bookEndpoints } from './book.ts'
import { cashierEndpoints } from './cashier.ts'
import { chatEndpoints } from './chat.ts'
import { diagnosticsEndpoints } from './diagnostics.ts'
import { disputeEndpoints } from './disputes.ts'
import type { RefusalOf } from './endpoint.ts'
import { fileEndpoints } from './files.ts'
import { gameEndpoints } from './game.ts'
import { identityEndpoints } from './identity.ts'
import { marketEndpoints } from './market.ts'
import { noticeEndpoints } from './notices.ts'
import { ownAccountEndpoints } from './own-account.ts'
import { limitsEndpoints } from './player-limits.ts'
import { pushEndpoints } from './push.ts'
import { refillEndpoints } from './refill.ts'
import { statisticsEndpoints } from './statistics.ts'
import { walletEndpoints } from './wallet.ts'

/** Every HTTP call as one table (spec §7, rules §6). */
export const endpoints = {
  ...identityEndpoints,
  ...ownAccountEndpoints,
  ...walletEndpoints,
  ...bankEndpoints,
  ...cashierEndpoints,
  ...gameEndpoints,
  ...refillEndpoints,
  ...limitsEndpoints,
  ...statisticsEndpoints,
  ...noticeEndpoints,
  ...marketEndpoints,
  ...bookEndpoints,
  ...bookStatusEndpoints,
  ...backOfficeEndpoints,
  ...chatEndpoints,
  ...disputeEndpoints,
  ...fileEndpoints,
  ...diagnosticsEndpoints,
  ...pushEndpoints,
  ...bookPageEndpoints,
} as const

/** Every refusal that the call of this name may answer with. */
export type RefusalBy<Name extends keyof typeof endpoints> = RefusalOf<(typeof endpoints)[Name]>
