import type { Notice } from './api.ts'
import { formatAmount, formatCount, formatGoldNumber, formatSignedAmount } from '#web/platform/formats.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { noticeTexts as texts } from './notices-texts.ts'

/** A notice in words. A signed amount is a change of the balance; a plain amount is the amount of a request. */
export type NoticeWords = {
  readonly title: string
  readonly detail: string
  readonly amount: { readonly minor: bigint; readonly kind: 'signed' | 'plain' } | null
}

const joined = (...parts: ReadonlyArray<string | null>) =>
  parts.filter((part) => part !== null && part !== '').join(' · ')

const voidWords = { TIE: texts.voidTie, NO_TICK: texts.voidNoTick, ROUND_DELETED: texts.voidRoundDeleted } as const
const statusWords = { open: '', won: texts.won, lost: texts.lost, voided: texts.voided } as const

/** Says how a bet was decided, since no outcome is decided in secret (rules §1.2). */
function deciderOf(bet: NonNullable<Notice['bet']>): string {
  if (bet.voidReason !== null) return voidWords[bet.voidReason]
  if (bet.basis === 'ADMIN') return texts.byStaff
  if (bet.basis === 'SCRIPTED') return texts.byScript
  const { entryPrice, exitPrice } = bet
  return entryPrice === null || exitPrice === null
    ? texts.byPrice
    : texts.byPrices(formatGoldNumber(entryPrice), formatGoldNumber(exitPrice))
}

/** @param isStaff true if the notice is an admin's */
export function noticeWords(notice: Notice, isStaff: boolean): NoticeWords {
  const { bet, request, care, adjustment, dispute = null, round, device = null, factor = null } = notice
  if (bet !== null)
    return {
      title: texts.betOf(texts[bet.direction], bet.type, formatCount(bet.roundNumber)),
      detail: joined(statusWords[bet.status], deciderOf(bet)),
      amount: { minor: bet.profitMinor, kind: 'signed' },
    }
  if (request !== null)
    return {
      title: texts[request.kind],
      detail: joined(
        request.status === 'approved' ? texts.approved : texts.rejected,
        texts.by(request.decidedBy),
        request.rejectionReason,
      ),
      amount: { minor: request.amountMinor, kind: 'plain' },
    }
  if (care !== null)
    return {
      title: isStaff ? texts.playerWrote : texts.careReplied,
      detail: texts.messages(care.sender, formatCount(care.unreadCount)),
      amount: null,
    }
  if (adjustment !== null)
    return {
      title: texts.adjusted,
      detail: joined(
        adjustment.note,
        texts.by(adjustment.actor),
        texts.balanceAfter(formatAmount(adjustment.balanceAfterMinor)),
      ),
      amount: { minor: adjustment.deltaMinor, kind: 'signed' },
    }
  if (dispute !== null)
    return {
      title: dispute.status === 'upheld' ? texts.disputeUpheld : texts.disputeRejected,
      detail: joined(`${dispute.type} ${formatCount(dispute.roundNumber)}`, dispute.answer),
      amount: dispute.correctionMinor === null ? null : { minor: dispute.correctionMinor, kind: 'signed' },
    }
  if (round !== null)
    return {
      title: texts.announced,
      detail: joined(
        `${round.type} ${formatCount(round.roundNumber)}`,
        round.basis === 'PRICE' ? texts.yoursByPrice : null,
      ),
      amount: null,
    }
  if (device !== null) return { title: texts.newDevice, detail: joined(device.ip, texts.notYou), amount: null }
  if (factor !== null)
    return {
      title: (isStaff ? texts.factorChanges : { ...texts.factorChanges, ...texts.passkeyChanges })[factor.change],
      detail: joined(
        factor.name,
        factor.change === 'undone' ? null : isStaff ? texts.factorNotYou : texts.passkeyNotYou,
      ),
      amount: null,
    }
  return { title: notice.limit === 'loss' ? texts.lossLimit : texts.stakeLimit, detail: texts.ownLimit, amount: null }
}

/** Returns the notice in one line for a toast. Wins and losses differ only in sign and word (rules §8). */
export function noticeLine(notice: Notice, isStaff: boolean): string {
  const { title, detail, amount } = noticeWords(notice, isStaff)
  const { bet, care } = notice
  if (care !== null) return title
  const points =
    amount === null || bet?.status === 'voided'
      ? null
      : `${amount.kind === 'signed' ? formatSignedAmount(amount.minor) : formatAmount(amount.minor)} ${commonTexts.points}`
  if (bet !== null)
    return joined(`${title}: ${statusWords[bet.status]}${points === null ? '' : ` ${points}`}`, deciderOf(bet))
  return joined(points === null ? title : `${title}: ${points}`, detail)
}
