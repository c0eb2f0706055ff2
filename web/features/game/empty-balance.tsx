import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { refillEndpoints } from '#contract/refill.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { formatAmount } from '#web/platform/formats.ts'
import { failureText, mayBeDone } from '#web/platform/http.ts'
import { createIntentKeys } from '#web/platform/intent-keys.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'
import { useAct } from '#web/ui/use-act.ts'
import { refresh } from '#web/platform/query-client.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { passesFocus } from '#web/ui/pass-focus.ts'
import { toast } from '#web/ui/toast.tsx'
import { betFormId } from './bet-form-id.ts'
import { refillTexts } from './refill-texts.ts'

/** The offer depends on the day and on the player's limits, so no answer is cached. */
const refillQuery = { ...endpointQuery(['refill'], refillEndpoints.readRefill, {}), staleTime: 0, gcTime: 0 }

/** When the focused button disappears, the focus moves to the bet form, or, without a form, to the heading. */
const onToForm = passesFocus(() => document.getElementById(betFormId) ?? document.querySelector<HTMLElement>('main h1'))

/**
 * Shows the remaining balance and offers a refill, or says why there is none (rules §3.7). The button is plain, since
 * nothing may urge the player to play on (rules §8).
 */
export function EmptyBalance({ balanceMinor }: { readonly balanceMinor: bigint }) {
  const offer = useQuery(refillQuery)
  const [withKey] = useState(createIntentKeys)
  const refill = useAct({
    failText: refillTexts.failed,
    run: async (_, signal) => {
      try {
        const taken = await withKey('refill', (idempotencyKey) =>
          callEndpoint(refillEndpoints.refill, { idempotencyKey }),
        )
        toast.success(refillTexts.taken(formatAmount(taken.amountMinor)))
        await refresh(sharedKeys.config, sharedKeys.me)
      } catch (error) {
        // The card leaves as soon as the balance has the points. If their answer is lost, nothing has failed.
        const isUnsure = signal.aborted && mayBeDone(error)
        const now = isUnsure ? await callEndpoint(refillEndpoints.readRefill, {}).catch(() => undefined) : undefined
        if (now?.amountMinor !== 0n) throw error
      }
    },
    onFailure: () => {
      void offer.refetch()
      return false
    },
  })
  const amountMinor = offer.data?.amountMinor ?? 0n
  return (
    <Card aria-labelledby="empty-balance" className="flex flex-col gap-1.5 p-3!">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 id="empty-balance" className="text-sm font-semibold tabular-nums">
          {refillTexts.title(formatAmount(balanceMinor))}
        </h2>
        <Link
          to="/account/limits"
          className="relative text-xs font-medium text-gold after:absolute after:-inset-3 hover:underline"
        >
          {refillTexts.toLimits}
        </Link>
      </div>
      {/* The line reserves the height of its text, so that nothing moves when the text is loaded. */}
      <p role="status" className="min-h-[1.4em] text-sm text-ink-2">
        {offer.data === undefined
          ? offer.isError && failureText(offer.error, refillTexts.failed)
          : (offer.data.reason ?? refillTexts.offer(formatAmount(amountMinor)))}
      </p>
      {amountMinor > 0n && (
        <Button
          ref={onToForm}
          variant="outline"
          isBusy={refill.isBusy}
          onClick={() => refill.start()}
          className="self-start"
        >
          {refillTexts.take}
        </Button>
      )}
      {refill.failure !== undefined && amountMinor > 0n && (
        <p role="alert" className="text-xs font-medium text-down">
          {refill.failure}
        </p>
      )}
    </Card>
  )
}
