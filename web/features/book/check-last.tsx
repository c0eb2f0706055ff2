import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { hasSession } from '#web/platform/session.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ShieldCheck } from '#web/ui/icons/shield-check.tsx'
import { lastOwnRoundQuery, isOld, statusQuery } from './api.ts'
import { bookTexts as texts } from './book-texts.ts'
import { CheckOutcome } from './check-outcome.tsx'
import { checkTexts } from './check-texts.ts'
import { useCheck } from './use-check.ts'

/** A button that checks the round of the player's last decided bet, or else the last closed round (rules §7.11). */
export function CheckLast() {
  const own = useQuery({ ...lastOwnRoundQuery, enabled: hasSession() })
  const { state, isRunning, start, stop } = useCheck()
  const isAsking = hasSession() && own.isPending
  const round = own.data ?? null
  return (
    <>
      <Card aria-labelledby="book-claim" className="flex flex-col gap-4">
        <h2 id="book-claim" className="flex items-start gap-2 text-xl leading-tight font-semibold tracking-tight">
          <ShieldCheck aria-hidden size={24} strokeWidth={1.8} className="mt-0.5 shrink-0 text-gold" />
          {texts.claim}
        </h2>
        <Trouble />
        {isRunning ? (
          <Button variant="outline" isWide onClick={stop}>
            {checkTexts.stop}
          </Button>
        ) : (
          <Button
            isWide
            isBusy={isAsking}
            className="print:hidden"
            onClick={() => start(round === null ? { kind: 'rounds', count: 1 } : { kind: 'round', round })}
          >
            {isAsking || round !== null ? texts.checkOwn : texts.checkAny}
          </Button>
        )}
      </Card>
      {state !== null && <CheckOutcome state={state} />}
    </>
  )
}

function Trouble() {
  const { data: status } = useQuery(statusQuery)
  if (status === undefined) return null
  if (status.isSealing && !isOld(status)) return null
  return (
    <Banner tone={status.isSealing ? 'warn' : 'danger'} isLive>
      {status.isSealing ? texts.late : texts.notSigning}
    </Banner>
  )
}

export function ToChecker() {
  return (
    <Link to="/kiem-chung" className="flex min-h-target items-center self-start font-medium text-gold print:hidden">
      {texts.toChecker}
    </Link>
  )
}
