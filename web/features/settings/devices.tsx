import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type OwnSession, ownAccountEndpoints } from '#contract/own-account.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { formatCount, formatDateMinute } from '#web/platform/formats.ts'
import { refusalOf } from '#web/platform/http.ts'
import { ActDialog } from '#web/ui/act-dialog.tsx'
import { TitledCard } from '#web/ui/titled-card.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Monitor } from '#web/ui/icons/monitor.tsx'
import { Smartphone } from '#web/ui/icons/smartphone.tsx'
import { toast } from '#web/ui/toast.tsx'
import { passesFocus } from '#web/ui/pass-focus.ts'
import { Pending } from '#web/ui/pending.tsx'
import { deviceWords } from './device-words.ts'
import { settingsTexts } from './settings-texts.ts'

const shownFirst = 5

const sessionsQuery = endpointQuery(['own-sessions'], ownAccountEndpoints.listSessions, {})

const onToList = passesFocus((button) => button.parentElement?.querySelector('ul'))

export type DevicesProps = {
  /** Signs out on this device, and deletes all data of the user from it. */
  readonly onSignOutHere: () => void
  readonly isLeaving: boolean
}

/** The devices on which the account is signed in (rules §4.8). */
export function Devices({ onSignOutHere, isLeaving }: DevicesProps) {
  const sessions = useQuery({ ...sessionsQuery, refetchOnMount: 'always' })
  const [isWhole, setIsWhole] = useState(false)
  const [asked, setAsked] = useState<OwnSession | 'others' | null>(null)
  if (sessions.data === undefined)
    return (
      <TitledCard title={settingsTexts.devices}>
        <Pending query={sessions} className="flex flex-col gap-3" shapes={['h-30']} />
      </TitledCard>
    )
  const rows = isWhole ? sessions.data : sessions.data.slice(0, shownFirst)
  const hidden = sessions.data.length - rows.length
  return (
    <TitledCard title={settingsTexts.devices}>
      <ul tabIndex={-1} className="flex flex-col divide-y divide-line">
        {rows.map((session) => (
          <DeviceRow
            key={session.id}
            session={session}
            isBusy={session.isCurrent && isLeaving}
            onSignOut={session.isCurrent ? onSignOutHere : () => setAsked(session)}
          />
        ))}
      </ul>
      {hidden > 0 && (
        <Button ref={onToList} variant="ghost" isWide onClick={() => setIsWhole(true)}>
          {settingsTexts.moreDevices(formatCount(hidden))}
        </Button>
      )}
      {sessions.data.length > 1 && (
        <Button variant="outline" isWide onClick={() => setAsked('others')}>
          {settingsTexts.signOutOthers}
        </Button>
      )}
      <p className="text-xs text-ink-3">
        {settingsTexts.strangeDevice}{' '}
        <Link to="/change-password" className="font-medium text-gold underline underline-offset-2">
          {settingsTexts.changePassword}
        </Link>
        .
      </p>
      {asked !== null && (
        <SignOutDialog asked={asked} onSettled={() => void sessions.refetch()} onClose={() => setAsked(null)} />
      )}
    </TitledCard>
  )
}

type DeviceRowProps = {
  readonly session: OwnSession
  readonly isBusy?: boolean
  readonly onSignOut: () => void
}

function DeviceRow({ session, isBusy = false, onSignOut }: DeviceRowProps) {
  const { name, isHandheld } = deviceWords(session.userAgent)
  const Icon = isHandheld ? Smartphone : Monitor
  return (
    <li className="flex flex-col gap-2 py-3 first:pt-0">
      <div className="flex items-start gap-3">
        <Icon aria-hidden size={20} strokeWidth={1.7} className="mt-0.5 shrink-0 text-gold" />
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
            {name}
            {session.isCurrent && <Badge tone="gold">{settingsTexts.inUse}</Badge>}
          </p>
          <p className="text-xs text-ink-2 tabular-nums">
            {session.isCurrent ? settingsTexts.usedNow : settingsTexts.usedAt(formatDateMinute(session.lastUsedAtMs))}
          </p>
          <p className="text-xs [overflow-wrap:anywhere] text-ink-3 tabular-nums">
            <span>{settingsTexts.signedInAt(formatDateMinute(session.createdAtMs))}</span>
            {session.ip !== null && <span>{` · ${settingsTexts.address(session.ip)}`}</span>}
          </p>
        </div>
      </div>
      <Button
        variant="outline"
        isWide
        isBusy={isBusy}
        onClick={onSignOut}
        aria-label={settingsTexts.signOutNamed(name)}
      >
        {settingsTexts.signOut}
      </Button>
    </li>
  )
}

type SignOutDialogProps = {
  readonly asked: OwnSession | 'others'
  readonly onSettled: () => void
  readonly onClose: () => void
}

function SignOutDialog({ asked, onSettled, onClose }: SignOutDialogProps) {
  const isOthers = asked === 'others'
  const run = async () => {
    if (isOthers) {
      const { ended } = await callEndpoint(ownAccountEndpoints.endOtherSessions, {})
      toast.success(settingsTexts.signedOutOthers(formatCount(ended)))
    } else {
      // NOT_FOUND means that the session has already ended, as the user wants.
      await callEndpoint(ownAccountEndpoints.endSession, { params: { id: asked.id } }).catch((error: unknown) => {
        if (refusalOf<'endSession'>(error)?.code !== 'NOT_FOUND') throw error
      })
      toast.success(settingsTexts.signedOut)
    }
  }
  return (
    <ActDialog
      title={isOthers ? settingsTexts.signOutOthersTitle : settingsTexts.signOutTitle}
      description={
        isOthers ? settingsTexts.signOutOthersEffect : settingsTexts.signOutEffect(deviceWords(asked.userAgent).name)
      }
      confirmLabel={settingsTexts.signOutVerb}
      tone="danger"
      failText={settingsTexts.failed}
      run={run}
      onSettled={onSettled}
      onClose={onClose}
    />
  )
}
