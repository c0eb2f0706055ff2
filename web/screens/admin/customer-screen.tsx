import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, Suspense, useState } from 'react'
import type { StaffUser } from '#contract/staff-users.ts'
import { AuditTable } from '#web/features/admin-audit/audit-table.tsx'
import { actText, summaryOf } from '#web/features/admin-audit/audit-words.ts'
import { statusWords as betStatuses } from '#web/features/admin-bets/bet-columns.tsx'
import { BetsTable } from '#web/features/admin-bets/bets-table.tsx'
import { adminCustomerTexts as texts } from '#web/features/admin-customer/admin-customer-texts.ts'
import { customerQuery } from '#web/features/admin-customer/api.ts'
import { CustomerHead, CustomerHeadSkeleton } from '#web/features/admin-customer/customer-head.tsx'
import { LedgerTable } from '#web/features/admin-customer/ledger-table.tsx'
import { Notes } from '#web/features/admin-customer/notes.tsx'
import { BanksPart, CarePart, LimitsPart } from '#web/features/admin-customer/parts.tsx'
import { Timeline } from '#web/features/admin-customer/timeline.tsx'
import type { CustomerWords } from '#web/features/admin-customer/timeline-words.ts'
import { statusWords as requestStatuses } from '#web/features/admin-requests/request-words.ts'
import { RequestsTable } from '#web/features/admin-requests/requests-table.tsx'
import { AccountActs } from '#web/features/admin-users/account-acts.tsx'
import { useUserRights } from '#web/features/admin-users/use-user-rights.ts'
import type { UserDialog } from '#web/features/admin-users/user-dialogs.tsx'
import { useMe } from '#web/features/identity/use-me.ts'
import { deviceWords } from '#web/features/settings/device-words.ts'
import { ledgerTexts } from '#web/features/wallet/wallet-texts.ts'
import { AdminPage } from '#web/layout/admin-page.tsx'
import { BackLink } from '#web/layout/back-link.tsx'
import { openWriting } from '#web/layout/open-writing.ts'
import { refusalOf } from '#web/platform/http.ts'
import { statesOf } from '#web/parts/account-states.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { PlayMoneyLine } from '#web/parts/play-money-line.tsx'
import { EmptyState, QueryFailure } from '#web/ui/states.tsx'
import { useAct } from '#web/ui/use-act.ts'
import { lazyComponent } from '#web/ui/lazy-component.ts'
import { proposalDialogOf } from './proposal-dialog.tsx'

const Dialogs = lazyComponent(() => import('#web/features/admin-users/user-dialogs.tsx'), 'UserDialogs')

const words: CustomerWords = {
  device: (userAgent) => deviceWords(userAgent).name,
  reason: (reason) => ledgerTexts.reasons[reason],
  act: actText,
  change: summaryOf,
  statuses: { bet: betStatuses, request: requestStatuses },
}

/** The parts of the page, in the order of their links. If the address names no part, the first is shown. */
const parts = ['timeline', 'ledger', 'bets', 'requests', 'banks', 'limits', 'care', 'acts', 'notes'] as const
type Part = (typeof parts)[number]

/** The format of a user's id. For any other text in the address, no customer is fetched. */
const userId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function CustomerScreen() {
  const { id } = useParams({ from: '/guarded/admin/user/$id' })
  const isId = userId.test(id)
  const query = useQuery({ ...customerQuery(id), enabled: isId })
  const back = <BackLink fallback="/admin/user" />
  if (query.data !== undefined)
    return (
      <AdminPage title={query.data.user.username} subtitle={texts.lookNoted} before={back}>
        <Customer key={id} id={id} />
      </AdminPage>
    )
  const isUnknown = !isId || refusalOf<'readCustomerPage'>(query.error)?.code === 'NOT_FOUND'
  return (
    <AdminPage title={texts.title} subtitle={texts.lookNoted} before={back}>
      {isUnknown ? (
        <Card>
          <EmptyState
            text={texts.unknown}
            action={
              <Link to="/admin/user" className="font-medium underline underline-offset-4">
                {texts.toList}
              </Link>
            }
          />
        </Card>
      ) : query.isError ? (
        <Card>
          <QueryFailure query={query} />
        </Card>
      ) : (
        <CustomerHeadSkeleton />
      )}
    </AdminPage>
  )
}

function Customer({ id }: { readonly id: string }) {
  const me = useMe()
  const navigate = useNavigate()
  const { data: customer } = useQuery(customerQuery(id))
  const { part: asked, act } = useSearch({ strict: false })
  const part = parts.find((one) => one === asked) ?? parts[0]
  const [dialog, setDialog] = useState<UserDialog>()
  const may = useUserRights()
  if (customer === undefined) return null
  const { user } = customer
  // The finder links to this page with an act in the address. The act's dialog opens if the admin may do the act.
  const isFreezable = user.deletedAtMs === null && id !== me.id && may.profile(user, false)
  const freezing = isFreezable && (user.isFrozen ? 'unfreeze' : 'freeze')
  const possible = [may.canEdit(user, me.id) && 'edit', freezing] as const
  const question = possible.find((one) => one !== false && one === act)
  const open = dialog ?? (question ? { kind: question, user } : undefined)
  const close = () => {
    setDialog(undefined)
    if (act !== undefined)
      void navigate({ to: '.', search: ({ act: _, ...kept }) => kept, replace: true, resetScroll: false })
  }
  const mayCare = me.capabilities?.includes('care') === true
  const goTo = (to: Part) => void navigate({ to: '/admin/user/$id', params: { id }, search: { part: to } })
  return (
    <>
      <CustomerHead
        customer={customer}
        words={words}
        states={statesWithRole(user)}
        acts={
          <>
            {mayCare && user.role === 'player' && user.deletedAtMs === null && (
              <WriteButton customerId={id} meId={me.id} />
            )}
            <AccountActs user={user} meId={me.id} onDialog={setDialog} onPart={goTo} />
          </>
        }
      />
      <PartLinks id={id} part={part} />
      {drawPart(part, { user, me, mayCare, onDialog: setDialog })}
      <PlayMoneyLine />
      <Suspense fallback={null}>
        {open && <Dialogs dialog={open} meId={me.id} onRemoved={() => {}} onClose={close} />}
      </Suspense>
    </>
  )
}

function WriteButton({ customerId, meId }: { readonly customerId: string; readonly meId: string }) {
  const navigate = useNavigate()
  const { start, isBusy } = useAct({
    failText: texts.writeFailed,
    run: async (_, signal) => {
      const conversation = await openWriting(customerId, meId)
      // The chat does not open if the admin has left this page meanwhile: they may be deciding a request by now.
      if (!signal.aborted) await navigate({ to: '/admin/chat', search: { conversation } })
    },
    isToasted: true,
  })
  return (
    <Button variant="outline" size="sm" isBusy={isBusy} onClick={() => start()}>
      {texts.write}
    </Button>
  )
}

const statesWithRole = (user: StaffUser) => [
  ...(user.role === 'admin' ? [{ label: texts.staff, tone: 'gold' as const }] : []),
  ...statesOf(user),
]

type PartOf = {
  readonly user: StaffUser
  readonly me: ReturnType<typeof useMe>
  readonly mayCare: boolean
  readonly onDialog: (dialog: UserDialog) => void
}

function drawPart(part: Part, { user, me, mayCare, onDialog }: PartOf): ReactNode {
  const { id } = user
  switch (part) {
    case 'timeline':
      return <Timeline userId={id} words={words} />
    case 'ledger':
      return <LedgerTable userId={id} words={words} />
    case 'bets':
      return <BetsTable userId={id} />
    case 'requests':
      return <RequestsTable meId={me.id} userId={id} proposalDialog={proposalDialogOf(me.id)} />
    case 'banks':
      return (
        <BanksPart
          userId={id}
          onEdit={user.deletedAtMs === null ? () => onDialog({ kind: 'banks', user }) : undefined}
        />
      )
    case 'limits':
      return <LimitsPart userId={id} />
    case 'care':
      return <CarePart userId={id} mayRead={mayCare} />
    case 'acts':
      return <AuditTable userId={id} />
    case 'notes':
      return <Notes userId={id} isSelf={id === me.id} mayWrite={(me.capabilities?.length ?? 0) > 0} />
  }
}

/** Scrolls the row of links to the link of the open part, which may be out of sight on a phone. */
const intoView = (link: HTMLAnchorElement | null) => link?.scrollIntoView({ block: 'nearest', inline: 'center' })

function PartLinks({ id, part: shown }: { readonly id: string; readonly part: Part }) {
  return (
    <nav aria-label={texts.parts} className="scrollbar-none -mx-gutter overflow-x-auto px-gutter md:mx-0 md:px-0">
      <ul className="flex w-max min-w-full gap-5 border-b border-line">
        {parts.map((part) => (
          <li key={part}>
            <Link
              to="/admin/user/$id"
              params={{ id }}
              search={part === parts[0] ? {} : { part }}
              // Without `exact`, the first part's link, which has no parameter, would be marked for every part.
              activeOptions={{ exact: true }}
              resetScroll={false}
              {...(part === shown && { ref: intoView })}
              aria-current={part === shown ? 'page' : undefined}
              className="-mb-px grid min-h-target place-items-center border-b-2 border-transparent px-0.5 text-sm font-medium whitespace-nowrap text-ink-3 transition-colors hover:text-ink aria-[current]:border-gold aria-[current]:text-ink"
            >
              {texts[part]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
