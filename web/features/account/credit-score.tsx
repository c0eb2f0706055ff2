import { CREDIT_SCORE_FALLBACK, CREDIT_SCORE_MAX, CREDIT_SCORE_RED_BELOW } from '#contract/limits.ts'
import { accountTexts } from './account-texts.ts'
import { classNames } from '#web/ui/class-names.ts'

/** Returns the score rounded and limited to 0–100; 10 if the score is unknown (spec §9.2). */
export function shownCreditScore(creditScore: number | null | undefined): number {
  if (creditScore == null || !Number.isFinite(creditScore)) return CREDIT_SCORE_FALLBACK
  return Math.min(CREDIT_SCORE_MAX, Math.max(0, Math.round(creditScore)))
}

/** The credit score as a figure and a bar. Below 90 both are red (spec §9.2). */
export function CreditScore({ creditScore }: { readonly creditScore: number | null | undefined }) {
  const score = shownCreditScore(creditScore)
  const isLow = score < CREDIT_SCORE_RED_BELOW
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
        <span id="credit-score" className="text-ink-2">
          {accountTexts.creditScore}
        </span>
        <span className={classNames('font-semibold tabular-nums', isLow ? 'text-down' : 'text-up')}>
          {accountTexts.creditScoreOf(score, CREDIT_SCORE_MAX)}
        </span>
      </div>
      <div
        role="meter"
        aria-labelledby="credit-score"
        aria-valuemin={0}
        aria-valuemax={CREDIT_SCORE_MAX}
        aria-valuenow={score}
        className="h-2 overflow-hidden rounded-pill bg-line"
      >
        <div
          className={classNames('h-full rounded-pill', isLow ? 'bg-down-fill' : 'bg-up-fill')}
          style={{ width: `${(score / CREDIT_SCORE_MAX) * 100}%` }}
        />
      </div>
      {isLow && <p className="text-xs text-down">{accountTexts.creditScoreLow}</p>}
    </div>
  )
}
