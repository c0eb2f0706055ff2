import { useState } from 'react'
import { codeOf, failureText } from '#web/platform/http.ts'
import { forgetUserAndLeave } from '#web/platform/session.ts'
import { ActDialog } from '#web/ui/act-dialog.tsx'
import { Button } from '#web/ui/button.tsx'
import { PasswordInput } from '#web/ui/text-input.tsx'
import { closeAccount } from './api.ts'
import { Section } from './section.tsx'
import { settingsTexts } from './settings-texts.ts'

export type CloseAccountProps = {
  readonly username: string
  /** What lapses, already formatted: "1,000.00 điểm". */
  readonly balance: string
}

/** Closes the account for good, by oneself and with the password (rules §4.8). */
export function CloseAccount(props: CloseAccountProps) {
  const [isAsked, setIsAsked] = useState(false)
  return (
    <Section title={settingsTexts.close}>
      <p className="text-sm text-ink-2">{settingsTexts.closeLead}</p>
      <Button variant="outline" isWide onClick={() => setIsAsked(true)} className="text-down!">
        {settingsTexts.closeVerb}
      </Button>
      {isAsked && <CloseDialog {...props} onClose={() => setIsAsked(false)} />}
    </Section>
  )
}

function CloseDialog({ username, balance, onClose }: CloseAccountProps & { readonly onClose: () => void }) {
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string>()
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
      failText={settingsTexts.closeFailed}
      canRun={() => {
        setError(password === '' ? settingsTexts.passwordRequired : undefined)
        return password !== ''
      }}
      run={async () => {
        await closeAccount(password)
        await forgetUserAndLeave(Promise.resolve())
      }}
      onFailure={(failure) => {
        if (codeOf<'closeAccount'>(failure) !== 'PASSWORD_WRONG') return false
        setError(failureText(failure, settingsTexts.closeFailed))
        return true
      }}
      onClose={onClose}
    >
      {/* Lets password managers recognise the account. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordInput
        label={settingsTexts.password}
        autoComplete="current-password"
        error={error}
        value={password}
        onChange={(event) => {
          setPassword(event.target.value)
          setError(undefined)
        }}
      />
    </ActDialog>
  )
}
