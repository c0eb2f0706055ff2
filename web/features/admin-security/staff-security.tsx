import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { StaffFactors } from '#contract/factors.ts'
import type { OwnSession } from '#contract/own-account.ts'
import { formatCount, formatDateMinute } from '#web/platform/formats.ts'
import { ActDialog } from '#web/ui/act-dialog.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { TitledCard } from '#web/ui/titled-card.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.tsx'
import { Pending } from '#web/ui/pending.tsx'
import { securityTexts as texts } from './admin-security-texts.ts'
import { endStaffSessions, refreshFactors, resetFactors, staffFactorsQuery, staffSessionsQuery } from './api.ts'

type Asked = {
  readonly is: 'reset' | 'sessions' | 'end'
  readonly admin: StaffFactors
  /** The session to end. If it is absent, all sessions of the admin end. */
  readonly session?: OwnSession
}

/** For owners: each admin's counts of second factors and sessions, and acts on those of other admins. */
export function StaffSecurity({ ownId }: { readonly ownId: string }) {
  const query = useQuery(staffFactorsQuery)
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = () => setAsked(null)
  const ends = { tone: 'danger', onSettled: () => void refreshFactors(), onClose: close } as const
  return (
    <TitledCard title={texts.staff}>
      <p className="text-sm text-ink-2">{texts.staffWhy}</p>
      {query.data === undefined ? (
        <Pending query={query} shapes={['h-30']} />
      ) : (
        <ul className="flex flex-col divide-y divide-line">
          {query.data.map((admin) => (
            <Row key={admin.id} admin={admin} isSelf={admin.id === ownId} onAsk={setAsked} />
          ))}
        </ul>
      )}
      {asked?.is === 'sessions' && (
        <SessionsDialog
          admin={asked.admin}
          onEnd={(session) => setAsked({ ...asked, is: 'end', ...(session && { session }) })}
          onClose={close}
        />
      )}
      {asked?.is === 'end' && (
        <ActDialog
          title={asked.session === undefined ? texts.endTitle : texts.endOneTitle}
          description={
            asked.session === undefined
              ? texts.endEffect(asked.admin.username)
              : texts.endOneEffect(asked.admin.username, browserOf(asked.session))
          }
          confirmLabel={asked.session === undefined ? texts.endSessions : texts.endOne}
          failText={texts.endFailed}
          run={async () => {
            const { ended } = await endStaffSessions(asked.admin.id, asked.session?.id)
            toast.success(texts.ended(formatCount(ended)))
          }}
          {...ends}
        />
      )}
      {asked?.is === 'reset' && (
        <ActDialog
          title={texts.resetTitle}
          description={texts.resetEffect(asked.admin.username)}
          confirmLabel={texts.reset}
          failText={texts.resetFailed}
          run={() => resetFactors(asked.admin.id)}
          doneText={texts.resetDone(asked.admin.username)}
          {...ends}
        />
      )}
    </TitledCard>
  )
}

type RowProps = {
  readonly admin: StaffFactors
  readonly isSelf: boolean
  readonly onAsk: (asked: Asked) => void
}

function Row({ admin, isSelf, onAsk }: RowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <div className="min-w-40 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium [overflow-wrap:anywhere]">
          {admin.username}
          {isSelf && <Badge tone="gold">{texts.you}</Badge>}
          {admin.isFrozen && <Badge tone="warn">{texts.frozen}</Badge>}
        </p>
        <p className="text-xs text-ink-3 tabular-nums">
          {admin.factors === 0 ? texts.without : texts.factorCount(formatCount(admin.factors))} ·{' '}
          {texts.sessionCount(formatCount(admin.sessions))}
        </p>
      </div>
      {!isSelf && (
        <div className="flex flex-wrap gap-2">
          <Button
            variant="outline"
            aria-label={texts.seeSessionsNamed(admin.username)}
            onClick={() => onAsk({ is: 'sessions', admin })}
          >
            {texts.seeSessions}
          </Button>
          {admin.factors > 0 && (
            <Button
              variant="outline"
              aria-label={texts.resetNamed(admin.username)}
              onClick={() => onAsk({ is: 'reset', admin })}
            >
              {texts.reset}
            </Button>
          )}
        </div>
      )}
    </li>
  )
}

const browserOf = ({ userAgent }: OwnSession): string => userAgent ?? texts.unknownBrowser

type SessionsDialogProps = {
  readonly admin: StaffFactors
  /** Asks for confirmation before ending the given session, or all sessions. */
  readonly onEnd: (session?: OwnSession) => void
  readonly onClose: () => void
}

function SessionsDialog({ admin, onEnd, onClose }: SessionsDialogProps) {
  const sessions = useQuery({ ...staffSessionsQuery(admin.id), refetchOnMount: 'always' })
  return (
    <Dialog
      onClose={onClose}
      title={texts.sessionsTitle(admin.username)}
      footer={
        sessions.data !== undefined &&
        sessions.data.length > 0 && (
          <Button variant="danger" onClick={() => onEnd()}>
            {texts.endSessions}
          </Button>
        )
      }
    >
      {sessions.data === undefined ? (
        <Pending query={sessions} shapes={['h-20']} />
      ) : sessions.data.length === 0 ? (
        <p className="text-sm text-ink-2">{texts.noSessions}</p>
      ) : (
        <ul className="flex flex-col divide-y divide-line">
          {sessions.data.map((session) => (
            <li key={session.id} className="flex items-center gap-3 py-2 text-sm">
              <div className="min-w-0 flex-1">
                <p className="[overflow-wrap:anywhere]">{browserOf(session)}</p>
                <p className="text-xs text-ink-3 tabular-nums">
                  <span>{texts.lastUsed(formatDateMinute(session.lastUsedAtMs))}</span>
                  {session.ip !== null && <span>{` · ${session.ip}`}</span>}
                </p>
              </div>
              <Button
                variant="outline"
                aria-label={texts.endOneNamed(browserOf(session))}
                onClick={() => onEnd(session)}
              >
                {texts.endOne}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
