import { useRef, useState } from 'react'
import { badBankFields, BANK_NAME_MAX, type BankDetails, HOLDER_MAX } from '#domain/banks/bank.ts'
import { adminUserTexts as texts } from './admin-user-texts.ts'
import { failureText } from '#web/platform/http.ts'
import { useAdminRefresh } from '#web/ui/data-table/use-admin-refresh.ts'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/dialog.tsx'
import { showAndFocusErrors } from '#web/ui/field.tsx'
import { FormFailure } from '#web/ui/form-failure.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { toast } from '#web/ui/toast.tsx'
import { type BankAccount, editBank, type StaffUser } from './api.ts'

export type BanksDialogProps = { readonly user: StaffUser; readonly onClose: () => void }

/** A user's linked banks; only staff can correct them (spec §6). */
export function BanksDialog({ user, onClose }: BanksDialogProps) {
  return (
    <Sheet
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={texts.banksTitle(user.username)}
      description={user.banks.length > 0 ? texts.banksText : undefined}
    >
      {user.banks.length === 0 ? (
        <EmptyState text={texts.noBanks} />
      ) : (
        user.banks.map((bank) => <BankEditor key={bank.id} bank={bank} />)
      )}
    </Sheet>
  )
}

const sentences: Readonly<Record<keyof BankDetails, string>> = {
  bankName: texts.bankNameInvalid,
  accountNumber: texts.accountNumberInvalid,
  accountHolder: texts.accountHolderInvalid,
}

function BankEditor({ bank }: { readonly bank: BankAccount }) {
  const refresh = useAdminRefresh('users', 'audit')
  const [saved, setSaved] = useState<BankDetails>(bank)
  const [draft, setDraft] = useState<BankDetails>({
    bankName: bank.bankName,
    accountNumber: bank.accountNumber,
    accountHolder: bank.accountHolder,
  })
  const [bad, setBad] = useState<ReadonlySet<string>>(new Set())
  const [failure, setFailure] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  const formRef = useRef<HTMLFormElement>(null)
  const fields = ['bankName', 'accountNumber', 'accountHolder'] as const
  const isChanged = fields.some((field) => draft[field] !== saved[field])

  const save = async () => {
    const tidy = {
      bankName: draft.bankName.trim(),
      accountNumber: draft.accountNumber.trim(),
      accountHolder: draft.accountHolder.trim(),
    }
    const wrong = new Set<string>(badBankFields(tidy))
    setFailure(undefined)
    showAndFocusErrors(formRef, () => setBad(wrong))
    if (wrong.size > 0) return
    setIsBusy(true)
    try {
      setSaved(await editBank(bank.id, tidy))
      toast.success(texts.bankSaved)
      refresh()
    } catch (error) {
      setFailure(failureText(error, texts.bankFailed))
    } finally {
      setIsBusy(false)
    }
  }
  const field = (name: keyof BankDetails) => ({
    value: draft[name],
    error: bad.has(name) ? sentences[name] : undefined,
    autoComplete: 'off',
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      setDraft({ ...draft, [name]: event.currentTarget.value }),
  })

  return (
    <form
      ref={formRef}
      noValidate
      aria-label={saved.bankName}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
      className="flex flex-col gap-3 rounded-m border border-line bg-surface-2 p-3"
    >
      <TextInput label={texts.bankName} maxLength={BANK_NAME_MAX} {...field('bankName')} />
      <TextInput label={texts.accountNumber} inputMode="numeric" {...field('accountNumber')} />
      <TextInput label={texts.accountHolder} maxLength={HOLDER_MAX} {...field('accountHolder')} />
      <FormFailure message={failure} />
      <Button type="submit" variant="outline" isBusy={isBusy} disabled={!isChanged}>
        {texts.saveBank(saved.bankName)}
      </Button>
    </form>
  )
}
