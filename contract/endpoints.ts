import type * as z from 'zod/mini'
import { attentionEndpoints } from './attention.ts'
import { backOfficeEndpoints } from './back-office.ts'
import { bankEndpoints } from './banks.ts'
import { bookPageEndpoints } from './book-pages.ts'
import { bookStatusEndpoints } from './book-status.ts'
import { bookEndpoints } from './book.ts'
import { careEndpoints } from './care.ts'
import { careCaseEndpoints } from './care-cases.ts'
import { careReportEndpoints } from './care-report.ts'
import { cashierEndpoints } from './cashier.ts'
import { careDutyEndpoints } from './care-duty.ts'
import { chatEndpoints } from './chat.ts'
import { chatNoteEndpoints } from './chat-notes.ts'
import { chatMergeEndpoints } from './chat-merge.ts'
import { chatTagEndpoints } from './chat-tags.ts'
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
import { replyTimeEndpoints } from './reply-time.ts'
import { requestReviewEndpoints } from './request-review.ts'
import { refillEndpoints } from './refill.ts'
import { savedViewEndpoints } from './saved-views.ts'
import { signInEndpoints } from './sign-in.ts'
import { staffGameEndpoints } from './staff-game.ts'
import { staffRequestEndpoints } from './staff-requests.ts'
import { staffUserEndpoints } from './staff-users.ts'
import { statisticsEndpoints } from './statistics.ts'
import { systemEndpoints } from './system.ts'
import { walletEndpoints } from './wallet.ts'

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
  ...systemEndpoints,
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
  ...chatNoteEndpoints,
  ...chatTagEndpoints,
  ...chatMergeEndpoints,
  ...replyTimeEndpoints,
  ...careEndpoints,
  ...careCaseEndpoints,
  ...careReportEndpoints,
  ...careDutyEndpoints,
  ...disputeEndpoints,
  ...fileEndpoints,
  ...diagnosticsEndpoints,
  ...pushEndpoints,
  ...bookPageEndpoints,
} as const

/** What a call's handler and its command get as the call's body. */
export type BodyOf<Name extends keyof typeof endpoints> = (typeof endpoints)[Name] extends {
  readonly body: infer Body extends z.ZodMiniType
}
  ? z.output<Body>
  : never

export type RefusalBy<Name extends keyof typeof endpoints> = RefusalOf<(typeof endpoints)[Name]>
