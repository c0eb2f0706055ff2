import type { OwnSession } from '#contract/own-account.ts'
import { formatDateTime } from '#web/platform/formats.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Monitor } from '#web/ui/icons/monitor.tsx'
import { Smartphone } from '#web/ui/icons/smartphone.tsx'
import { deviceWords } from './device-words.ts'
import { settingsTexts } from './settings-texts.ts'

export type DeviceRowProps = {
  readonly session: OwnSession
  readonly isBusy?: boolean
  readonly onSignOut: () => void
}

export function DeviceRow({ session, isBusy = false, onSignOut }: DeviceRowProps) {
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
            {session.isCurrent
              ? settingsTexts.usedNow
              : settingsTexts.usedAt(formatDateTime(session.lastUsedAtMs).slice(0, -3))}
          </p>
          <p className="text-xs [overflow-wrap:anywhere] text-ink-3 tabular-nums">
            <span>{settingsTexts.signedInAt(formatDateTime(session.createdAtMs).slice(0, -3))}</span>
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
