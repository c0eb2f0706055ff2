import { dayMinuteText } from '#web/platform/day-minute.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { holdingsAfter } from '#domain/cashier/request.ts'
import { formatAge, formatAmount, formatCount, formatDate } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { statesOf } from '#web/parts/account-states.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { CustomerLink } from '#web/parts/customer-link.tsx'
import { ShortNotes } from '#web/parts/short-notes.tsx'
import { FactList, type Facts as FactRows } from '#web/ui/fact-list.tsx'
import { Pending } from '#web/ui/pending.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { adminRequestTexts as texts } from './admin-request-texts.ts'
import type { CashRequest } from './api.ts'
import { kindWords, requestFacts, signedMinor, statusWords } from './request-words.ts'
import { dossierQuery, type RequestDossier } from './review-api.ts'
import { useViewing, Viewers } from './viewers.tsx'

export type DossierProps = {
  readonly request: Pick<CashRequest, 'id' | 'kind' | 'amountMinor' | 'status'>
  /** The decisions whose effect on the balances is shown while the request is pending. */
  readonly verdicts: ReadonlyArray<'approved' | 'rejected'>
  /** Whether the surrounding dialog already shows the facts of the request. */
  readonly isRequestTold?: boolean
  /** Closes the surrounding dialog when a link leads to another page. */
  readonly onLeave: () => void
}

/** The facts to check before a decision (rules §3.11). Other admins see that this admin has the request open. */
export function Dossier(props: DossierProps) {
  const { id } = props.request
  useViewing(id)
  const query = useQuery(dossierQuery(id))
  return (
    <section
      aria-label={texts.dossier}
      className="@container flex min-h-96 flex-col gap-4 border-t border-line pt-3 text-dense md:min-h-72"
    >
      {query.data !== undefined ? (
        <Known {...props} dossier={query.data} />
      ) : (
        <Pending query={query} className="grid gap-4 @min-[40rem]:grid-cols-2">
          <div className="flex flex-col gap-4">
            <Skeleton className="h-6 w-32" />
            <Skeleton className="h-20" />
            <Skeleton className="h-24" />
          </div>
          <div className="flex flex-col gap-4">
            <Skeleton className="h-36" />
            <Skeleton className="h-16" />
          </div>
        </Pending>
      )}
    </section>
  )
}

type KnownProps = DossierProps & { readonly dossier: RequestDossier }

function Known({ dossier, request, isRequestTold = false, onLeave, verdicts }: KnownProps) {
  const { user, timeoutUntilMs, recent, notes, noteCount } = dossier
  return (
    <div className="grid gap-4 @min-[40rem]:grid-cols-2">
      {!isRequestTold && dossier.request !== undefined && (
        <FactList
          facts={requestFacts(dossier.request)}
          className="text-dense @min-[40rem]:col-span-2 @min-[40rem]:grid-cols-[auto_1fr_auto_1fr]"
          valueClassName="text-right font-medium"
        />
      )}
      <div className="flex min-w-0 flex-col gap-4">
        <p className="flex min-h-6 flex-wrap items-center gap-1.5" role="status">
          <Viewers requestId={request.id} />
          {statesOf(user).map(({ label, tone }) => (
            <Badge key={label} tone={tone}>
              {label}
            </Badge>
          ))}
          {user.role === 'admin' && <Badge tone="gold">{texts.staff}</Badge>}
          {timeoutUntilMs !== null && <Badge tone="warn">{texts.timedOutUntil(dayMinuteText(timeoutUntilMs))}</Badge>}
        </p>
        <Balances dossier={dossier} request={request} verdicts={request.status === 'pending' ? verdicts : []} />
        <Facts dossier={dossier} onLeave={onLeave} />
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <Part title={texts.recent}>
          {recent.length === 0 ? (
            <p className="text-ink-3">{texts.noRecent}</p>
          ) : (
            <ul className="flex flex-col gap-1.5">
              {recent.map((other) => (
                <li key={other.id} className="flex flex-wrap items-center gap-x-2 gap-y-0.5 tabular-nums">
                  <span className="w-24 shrink-0 text-ink-3">{dayMinuteText(other.createdAtMs)}</span>
                  <span className="min-w-0 flex-1 whitespace-nowrap">
                    {kindWords[other.kind]}{' '}
                    <AmountText kind="signed" amountMinor={signedMinor(other)} className="font-medium" />
                  </span>
                  <Badge tone={statusWords[other.status].tone}>{statusWords[other.status].label}</Badge>
                </li>
              ))}
            </ul>
          )}
        </Part>
        <Part title={texts.notes}>
          {notes.length === 0 ? <p className="text-ink-3">{texts.noNotes}</p> : <ShortNotes notes={notes} />}
          {noteCount > notes.length && (
            <Link
              to="/admin/user/$id"
              params={{ id: user.id }}
              search={{ part: 'notes' }}
              onClick={onLeave}
              className="font-medium underline underline-offset-4"
            >
              {texts.moreNotes(formatCount(noteCount - notes.length))}
            </Link>
          )}
        </Part>
      </div>
    </div>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1.5">
      <h3 className="text-xs font-medium text-ink-3">{title}</h3>
      {children}
    </div>
  )
}

function Balances({ dossier, request, verdicts }: Pick<KnownProps, 'dossier' | 'request' | 'verdicts'>) {
  const now = { walletMinor: dossier.user.balanceMinor, reservedMinor: dossier.reservedMinor }
  const rows = [
    { label: texts.now, holdings: now },
    ...verdicts.map((verdict) => ({
      label: verdict === 'approved' ? texts.afterApproval : texts.afterRejection,
      holdings: holdingsAfter(now, request, verdict),
    })),
  ]
  return (
    <table className="w-full tabular-nums">
      <caption className="sr-only">{texts.balances}</caption>
      <thead>
        <tr className="text-xs text-ink-3">
          <th scope="col" className="pb-1 text-left font-medium">
            <span className="sr-only">{texts.when}</span>
          </th>
          {[texts.wallet, texts.reserved].map((head) => (
            <th key={head} scope="col" className="pb-1 pl-2 text-right font-medium">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, holdings }, at) => (
          <tr key={label} className="border-t border-line align-baseline">
            <th scope="row" className="py-1 text-left font-normal text-ink-2">
              {label}
            </th>
            <Changed amountMinor={holdings.walletMinor} fromMinor={at === 0 ? null : now.walletMinor} />
            <Changed amountMinor={holdings.reservedMinor} fromMinor={at === 0 ? null : now.reservedMinor} />
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Changed({ amountMinor, fromMinor }: { readonly amountMinor: bigint; readonly fromMinor: bigint | null }) {
  const way = fromMinor === null || amountMinor === fromMinor ? null : amountMinor > fromMinor ? 'up' : 'down'
  return (
    <td className={`py-1 pl-2 text-right [overflow-wrap:anywhere] ${way === null ? '' : 'font-semibold'}`}>
      {way !== null && (
        <>
          <span aria-hidden>{way === 'up' ? '▲ ' : '▼ '}</span>
          <span className="sr-only">{way === 'up' ? texts.rises : texts.falls} </span>
        </>
      )}
      <span>{formatAmount(amountMinor)}</span>
    </td>
  )
}

function Facts({ dossier, onLeave }: Pick<KnownProps, 'dossier' | 'onLeave'>) {
  const { user, betNetMinor, betNetSinceMs, sharedWith, sharedCount } = dossier
  const facts: FactRows = [
    [
      betNetSinceMs === null ? texts.betsEver : texts.betsSince,
      <Fragment key="net">
        <AmountText kind="signed" hasUnit amountMinor={betNetMinor} className="font-medium" />
        {betNetSinceMs !== null && (
          <span className="block text-xs text-ink-3">{texts.since(dayMinuteText(betNetSinceMs))}</span>
        )}
      </Fragment>,
    ],
    [
      texts.opened,
      <Fragment key="opened">
        <span>{formatAge(serverNowMs() - user.createdAtMs)}</span>
        <span className="block text-xs text-ink-3">{formatDate(user.createdAtMs)}</span>
      </Fragment>,
    ],
    [
      texts.sameNumber,
      sharedCount === 0 ? (
        texts.nobodyShares
      ) : (
        <span key="shared" className="flex flex-wrap justify-end gap-x-2">
          <span className="text-warn">{texts.shared(formatCount(sharedCount))}</span>
          {sharedWith.map(({ id, username }) => (
            <CustomerLink key={id} id={id} name={username} onClick={onLeave} className="leading-6" />
          ))}
          {sharedCount > sharedWith.length && (
            <span>{texts.sharedMore(formatCount(sharedCount - sharedWith.length))}</span>
          )}
        </span>
      ),
    ],
  ]
  return <FactList facts={facts} className="text-dense" valueClassName="text-right" />
}
