import { useState } from 'react'
import { capabilityDetails, capabilityWords } from '#contract/capability-words.ts'
import { CAPABILITIES, type Capability } from '#domain/identity/permissions.ts'
import { ActDialog } from '#web/ui/act-dialog.tsx'
import { ChangedMeanwhile } from './changed-meanwhile.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { adminUserTexts as texts } from './admin-user-texts.ts'
import type { StaffUser } from './api.ts'
import { useFreshCopy, useUserActs } from './use-user-acts.ts'

/** Sets an admin's capabilities with one switch for each (rules §4.5). */
export function CapabilitiesDialog({ user, onClose }: { readonly user: StaffUser; readonly onClose: () => void }) {
  const acts = useUserActs()
  const { copy, changes, run, onFailure } = useFreshCopy(user)
  const stored = copy.capabilities ?? []
  // The switches that were changed in this dialog. The others follow `stored`, so they show a colleague's changes.
  const [wished, setWished] = useState<Readonly<Partial<Record<Capability, boolean | undefined>>>>({})
  const isOn = (one: Capability) => wished[one] ?? stored.includes(one)
  const isChanged = (one: Capability) => isOn(one) !== stored.includes(one)
  return (
    <ActDialog
      title={texts.capabilitiesTitle(copy.username)}
      description={texts.capabilitiesText}
      confirmLabel={texts.capabilitiesButton}
      isBlocked={!CAPABILITIES.some(isChanged)}
      run={() => run(() => acts.grant(copy, CAPABILITIES.filter(isOn)))}
      doneText={texts.capabilitiesDone(copy.username)}
      failText={texts.capabilitiesFailed}
      onFailure={onFailure}
      onClose={onClose}
    >
      <ChangedMeanwhile changes={changes} />
      <div className="flex flex-col divide-y divide-line text-left">
        {CAPABILITIES.map((one) => (
          <Switch
            key={one}
            label={capabilityWords[one]}
            detail={capabilityDetails[one]}
            isOn={isOn(one)}
            onChange={() => setWished({ ...wished, [one]: isChanged(one) ? undefined : !isOn(one) })}
          />
        ))}
      </div>
      <p className="text-left text-xs text-ink-3">{texts.capabilitiesNone}</p>
    </ActDialog>
  )
}
