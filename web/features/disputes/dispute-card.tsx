import { Fragment, type ReactNode } from 'react'
import { formatCount, formatDateTime } from '#web/platform/formats.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { FactList, type Facts } from '#web/ui/fact-list.tsx'
import { RoundLink } from '#web/parts/round-link.tsx'
import { AgeText } from '#web/ui/ticking-text.tsx'
import type { Dispute } from './api.ts'
import { disputeTexts as texts } from './dispute-texts.ts'
import { betText, pricesText, statusWords, titleOf } from './dispute-words.ts'

export type DisputeCardProps = {
  readonly dispute: Dispute
  /** False if the player's text and the answer already stand beside the card, as in the chat. */
  readonly hasSentences?: boolean
  /** True if the signed-in user opened the dispute. Then the texts address this user. */
  readonly isOwn: boolean
  /** Links at the foot of the card. */
  readonly children?: ReactNode
  readonly className?: string
}

/** A dispute about a bet: the bet with its outcome and place in the open book, then the texts and the correction. */
export function DisputeCard({ dispute, hasSentences = true, isOwn, children, className }: DisputeCardProps) {
  const { label, tone } = statusWords[dispute.status]
  return (
    <section
      aria-label={titleOf(dispute)}
      className={classNames('flex flex-col gap-3 rounded-m border border-line bg-surface p-3 text-sm', className)}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <RoundLink roundId={dispute.bet.round.id} className="font-semibold tabular-nums">
          {titleOf(dispute)}
        </RoundLink>
        <Badge tone={tone}>{label}</Badge>
      </div>
      <BetReceipt dispute={dispute} />
      {hasSentences && (
        <>
          <Sentence by={isOwn ? texts.wroteOwn : texts.wrote(dispute.owner.username)} text={dispute.text} />
          {dispute.answer !== null && (
            <Sentence by={texts.answered(dispute.answer.by.username)} text={dispute.answer.text} />
          )}
        </>
      )}
      <Correction dispute={dispute} />
      {children}
    </section>
  )
}

export function Correction({ dispute: { answer } }: { readonly dispute: Dispute }) {
  const correctionMinor = answer?.correctionMinor ?? null
  if (correctionMinor === null) return null
  return (
    <p className="flex items-baseline justify-between gap-3 border-t border-line pt-2 font-medium">
      {texts.correction}
      <AmountText amountMinor={correctionMinor} kind="signed" hasUnit className="font-semibold" />
    </p>
  )
}

function BetReceipt({ dispute }: { readonly dispute: Dispute }) {
  const { bet } = dispute
  const prices = pricesText(dispute)
  const facts: Facts = [
    [texts.bet, betText(dispute)],
    prices !== null && [texts.prices, prices],
    [texts.decidedBy, texts.bases[bet.basis]],
    [
      texts.result,
      <Fragment key="result">
        {texts.betStatus[bet.status]}
        {bet.status !== 'voided' && (
          <>
            {' '}
            <AmountText amountMinor={bet.profitMinor} kind="signed" />
          </>
        )}
      </Fragment>,
    ],
    [texts.place, bet.sealIndex === null ? texts.noPlace : `#${formatCount(bet.sealIndex)}`],
    [
      texts.openedAt,
      dispute.status === 'open' ? <AgeText key="age" atMs={dispute.openedAtMs} /> : formatDateTime(dispute.openedAtMs),
    ],
  ]
  return <FactList facts={facts} className="gap-x-4!" valueClassName="text-right font-medium" />
}

function Sentence({ by, text }: { readonly by: string; readonly text: string }) {
  return (
    <div>
      <p className="text-xs text-ink-3">
        <bdi>{by}</bdi>
      </p>
      <p dir="auto" className="[overflow-wrap:anywhere]">
        {text}
      </p>
    </div>
  )
}

/** A folded part with salts and hashes, by which the player's text and the answer are checked in the open book. */
export function DisputeProof({ dispute }: { readonly dispute: Dispute }) {
  const entries = [
    [texts.proofOpened, dispute.entry] as const,
    ...(dispute.answer === null ? [] : [[texts.proofAnswered, dispute.answer.entry] as const]),
  ]
  return (
    <details className="text-sm">
      <summary className="flex min-h-target cursor-pointer items-center font-medium text-gold">{texts.proof}</summary>
      <p className="pb-2 text-ink-2">{texts.proofAbout}</p>
      <dl className="grid gap-y-1 text-xs">
        {entries.map(([when, { salt, c, index, isWaiting }]) => (
          <Fragment key={when}>
            <dt className="pt-1 font-medium">{when}</dt>
            <dd className="text-ink-2 tabular-nums [overflow-wrap:anywhere]">
              {texts.entry}:{' '}
              {index !== null ? `#${formatCount(index)}` : isWaiting === true ? texts.entryWaiting : texts.entryNone}
              <br />
              {texts.salt}: {salt}
              <br />
              {texts.hash}: {c}
            </dd>
          </Fragment>
        ))}
      </dl>
    </details>
  )
}
