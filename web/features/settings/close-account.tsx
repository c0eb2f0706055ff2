import { useState } from 'react'
import { ownAccountEndpoints } from '#contract/own-account.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { refusalOf, failureText } from '#web/platform/http.ts'
import { forgetUserAndLeave } from '#web/platform/session.ts'
import { ActDialog } from '#web/ui/act-dialog.tsx'
import { TitledCard } from '#web/ui/titled-card.tsx'
import { Button } from '#web/ui/button.tsx'
import { PasswordInput } from '#web/ui/text-input.tsx'
import { usePrompt } from '#web/ui/use-prompt.ts'
import { settingsTexts } from './settings-texts.ts'

export type CloseAccountProps = {
  readonly username: string
  /** The points that will lapse, already formatted: "1,000.00 điểm". */
  readonly balance: string
}

/** Lets users close their own account for good, with their password (rules §4.8). */
export function CloseAccount(props: CloseAccountProps) {
  const [isAsked, setIsAsked] = useState(false)
  return (
    <TitledCard title={settingsTexts.close}>
      <p className="text-sm text-ink-2">{settingsTexts.closeLead}</p>
      <Button variant="outline" isWide onClick={() => setIsAsked(true)} className="text-down!">
        {settingsTexts.closeVerb}
      </Button>
      {isAsked && <CloseDialog {...props} onClose={() => setIsAsked(false)} />}
    </TitledCard>
  )
}

function CloseDialog({ username, balance, onClose }: CloseAccountProps & { readonly onClose: () => void }) {
  const password = usePrompt((text) => (text === '' ? settingsTexts.passwordRequired : undefined))
  return (
    <ActDialog
      title={settingsTexts.closeTitle(username)}
      description={
        <ul className="flex list-disc flex-col gap-1 pl-4.5 marker:text-gold">
          {settingsTexts.closeEffects(balance).map((effect) => (
            <li key={effect}>{effect}</li>
          ))}
        </ul>
      }
      confirmLabel={settingsTexts.closeVerb}
      cancelLabel={settingsTexts.closeKeep}
      tone="danger"
      failText={settingsTexts.failed}
      canRun={password.check}
      run={async () => {
        await callEndpoint(ownAccountEndpoints.closeAccount, { body: { password: password.text } })
        await forgetUserAndLeave(Promise.resolve())
      }}
      onFailure={(failure) => {
        if (refusalOf<'closeAccount'>(failure)?.code !== 'PASSWORD_WRONG') return false
        password.refuse(failureText(failure, settingsTexts.failed))
        return true
      }}
      onClose={onClose}
    >
      {/* This hidden field lets password managers recognise the account. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordInput {...password.field} label={settingsTexts.password} autoComplete="current-password" />
    </ActDialog>
  )
}
