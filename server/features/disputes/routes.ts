import * as z from 'zod/mini'
import { type Dispute, disputeEndpoints, disputeStatus } from '#contract/disputes.ts'
import { decideAccess } from '#domain/identity/permissions.ts'
import { isRefused, refuse } from '#server/platform/http/errors.ts'
import type { Api } from '#server/platform/http/http.ts'
import { answerList } from '#server/platform/http/lists.ts'
import { answerDispute } from './answer-dispute.ts'
import { openDispute } from './open-dispute.ts'
import type { DisputeDeps } from './ports.ts'
import { asOwnerReads, DISPUTES, listDisputes, readDispute, readOwnDispute } from './queries.ts'

export function registerDisputes(api: Api, deps: DisputeDeps): void {
  const { db, ledger } = deps

  api.handle(disputeEndpoints.readBetDispute, async ({ subject, params }) => {
    const read = await readOwnDispute(db, subject.userId, params.id)
    return read === undefined ? refuse('NOT_FOUND') : read
  })

  api.handle(disputeEndpoints.openDispute, async ({ subject, params, body }) => {
    const opened = await openDispute(deps, subject, params.id, body.text)
    return isRefused(opened) ? opened : asOwnerReads(opened)
  })

  api.handle(disputeEndpoints.readDispute, async ({ subject, params }) => {
    const isForStaff = decideAccess(disputeEndpoints.readDispute.asStaff, subject) === null
    const dispute = await readDispute(db, params.id)
    if (dispute === null || (!isForStaff && dispute.owner.id !== subject.userId)) return refuse('NOT_FOUND')
    return isForStaff ? dispute : asOwnerReads(dispute)
  })

  api.handle(disputeEndpoints.listDisputes, ({ query }) => answerList(db, DISPUTES, query, listDisputes))

  api.handle(disputeEndpoints.answerDispute, async ({ subject, params, body }) => {
    if (body.verdict === 'upheld' && !ledger.isOpen()) return refuse('LEDGER_CHECK_FAILED')
    const answer = { verdict: body.verdict, text: body.text, correctionMinor: body.correctionMinor ?? null }
    const answered = await answerDispute(deps, subject, params.id, answer)
    return 'alreadyAnswered' in answered ? refuse('ALREADY_DECIDED', whoAnswered(answered.alreadyAnswered)) : answered
  })
}

/** Data for the message "An vừa trả lời" ("An has just answered"). */
const whoAnswered = ({ answer, status }: Dispute) => ({
  decidedBy: answer?.by.username ?? null,
  decidedAt: answer === null ? null : new Date(answer.atMs).toISOString(),
  status: z.encode(disputeStatus, status),
})
