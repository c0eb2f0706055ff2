import { minorTyped } from '#domain/typed-number.ts'
import { formatSignedAmount } from '#web/platform/formats.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { Copy } from '#web/ui/icons/copy.tsx'
import { KeyRound } from '#web/ui/icons/key-round.tsx'
import { NumberInput } from '#web/ui/number-input.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { toast } from '#web/ui/toast.tsx'
import { Form } from '#web/ui/field.tsx'
import { adminUserTexts as texts } from './admin-user-texts.ts'
import { ChangedMeanwhile } from './changed-meanwhile.tsx'
import { passwordFrom } from './user-draft.ts'
import type { UserEdit } from './use-user-edit.ts'

const passwordLength = 12

/** The props of fields for names and passwords, which browsers must not correct and should not fill in. */
const asTyped = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const

type PartProps = {
  readonly edit: UserEdit
  /** True if the user is the signed-in admin, who can't set their own balance or password here (rules §1.2). */
  readonly isSelf: boolean
}

type UserFormProps = PartProps & {
  /** If false, the form has no fields for name, credit score, vip and password. */
  readonly mayProfile: boolean
  readonly mayBalance: boolean
}

export function UserForm({ edit, isSelf, mayProfile, mayBalance }: UserFormProps) {
  const { draft, errors, set, formRef, review, staleLines } = edit
  return (
    <Form ref={formRef} noValidate onSubmit={review} className="flex flex-col gap-4">
      <ChangedMeanwhile title={texts.staleTitle} changes={staleLines} hint={texts.staleHint} />
      {mayProfile && (
        <TextInput
          label={texts.account}
          {...asTyped}
          value={draft.username}
          error={errors.username}
          onChange={(event) => set('username')(event.currentTarget.value)}
        />
      )}
      {mayBalance && <Balance edit={edit} isSelf={isSelf} />}
      {mayProfile && (
        <div className="grid grid-cols-2 gap-3">
          <NumberInput
            label={texts.creditScore}
            value={draft.creditScore}
            error={errors.creditScore}
            onChange={set('creditScore')}
          />
          <NumberInput
            label={texts.vip}
            value={draft.vip}
            hint={texts.vipHint}
            error={errors.vip}
            onChange={set('vip')}
          />
        </div>
      )}
      {mayProfile && <OneTimePassword edit={edit} isSelf={isSelf} />}
      {/* With this button, Enter in a field submits the form. The visible button is outside the form. */}
      <button type="submit" hidden tabIndex={-1} aria-hidden />
    </Form>
  )
}

function Balance({ edit: { base, draft, errors, set }, isSelf }: PartProps) {
  const minor = minorTyped(draft.balance, 'cents')
  const isOther = minor !== null && minor !== base.balanceMinor
  const hint = isOther ? texts.difference(formatSignedAmount(minor - base.balanceMinor)) : texts.balanceHint
  return (
    <div className="flex flex-col gap-2">
      <NumberInput
        kind="cents"
        unit={commonTexts.points}
        label={texts.balance}
        value={draft.balance}
        disabled={isSelf}
        hint={isSelf ? texts.balanceOwnHint : hint}
        error={errors.balance}
        onChange={set('balance')}
      />
      {(isOther || errors.reason !== undefined) && (
        <TextInput
          label={texts.reason}
          autoComplete="off"
          maxLength={200}
          value={draft.reason}
          error={errors.reason}
          onChange={(event) => set('reason')(event.currentTarget.value)}
        />
      )}
    </div>
  )
}

/** The one-time password, which the user has to change at the next sign-in (rules §4.2). */
function OneTimePassword({ edit: { draft, errors, set }, isSelf }: PartProps) {
  const make = () => set('password')(passwordFrom(crypto.getRandomValues(new Uint8Array(passwordLength))))
  return (
    <div className="flex flex-col gap-2">
      <TextInput
        label={texts.password}
        {...asTyped}
        disabled={isSelf}
        value={draft.password}
        hint={isSelf ? texts.passwordOwnHint : texts.passwordHint}
        error={errors.password}
        onChange={(event) => set('password')(event.currentTarget.value)}
      />
      {!isSelf && (
        <div className="flex flex-wrap gap-2">
          <Button variant="outline" size="sm" onClick={make}>
            <KeyRound aria-hidden size={16} strokeWidth={1.8} />
            {texts.makePassword}
          </Button>
          {draft.password !== '' && <CopyButton text={draft.password} />}
        </div>
      )}
    </div>
  )
}

/** Rendered only in secure contexts, because a page can write to the clipboard only there. */
function CopyButton({ text }: { readonly text: string }) {
  if (!globalThis.isSecureContext) return null
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    toast.success(texts.copied)
  }
  return (
    <Button variant="outline" size="sm" onClick={() => void copy().catch(() => {})}>
      <Copy aria-hidden size={16} strokeWidth={1.8} />
      {texts.copy}
    </Button>
  )
}
