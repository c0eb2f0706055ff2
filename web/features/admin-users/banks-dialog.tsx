import { useState } from 'react'
import { badBankFields, BANK_NAME_MAX, type BankDetails, HOLDER_MAX } from '#domain/banks/bank.ts'
import { adminUserTexts as texts } from './admin-user-texts.ts'
import { useAdminRefresh } from '#web/lists/use-admin-refresh.ts'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/dialog.tsx'
import { FormFailure } from '#web/ui/form-failure.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { useActForm } from '#web/ui/use-act-form.ts'
import { toast } from '#web/ui/toast.tsx'
import { type BankAccount, editBank, type StaffUser } from './api.ts'

/** A form for each of a user's linked bank accounts, which only staff can edit (spec §6.1). */
export function BanksDialog({ user, onClose }: { readonly user: StaffUser; readonly onClose: () => void }) {
  return (
    <Sheet
      onClose={onClose}
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

const changesOf = (saved: BankDetails, details: BankDetails): Partial<BankDetails> =>
  Object.fromEntries(Object.entries(details).filter(([name, text]) => saved[name as keyof BankDetails] !== text))

function BankEditor({ bank }: { readonly bank: BankAccount }) {
  const refresh = useAdminRefresh('users', 'audit')
  const [saved, setSaved] = useState<BankDetails>(bank)
  const { bankName, accountNumber, accountHolder } = saved
  const { register, errors, isBusy, failure, submit, formState } = useActForm<BankDetails, BankDetails, BankDetails>({
    values: { bankName, accountNumber, accountHolder },
    failText: texts.bankFailed,
    // Sends only the changed fields: a colleague may have corrected the other fields since this bank was loaded.
    run: (details) => editBank(bank.id, changesOf(saved, details)).finally(refresh),
    onDone: (answer) => {
      setSaved(answer)
      toast.success(texts.bankSaved)
    },
  })
  const field = (name: keyof BankDetails) => ({
    error: errors[name]?.message,
    autoComplete: 'off',
    ...register(name, {
      setValueAs: (text: string) => text.trim(),
      validate: (_, details) => (badBankFields(details).includes(name) ? texts.bankProblems[name] : true),
    }),
  })

  return (
    <form
      noValidate
      aria-label={bankName}
      onSubmit={submit}
      className="flex flex-col gap-3 rounded-m border border-line bg-surface-2 p-3"
    >
      <TextInput label={texts.bankName} maxLength={BANK_NAME_MAX} {...field('bankName')} />
      <TextInput label={texts.accountNumber} inputMode="numeric" {...field('accountNumber')} />
      <TextInput label={texts.accountHolder} maxLength={HOLDER_MAX} {...field('accountHolder')} />
      <FormFailure message={failure} />
      <Button type="submit" variant="outline" isBusy={isBusy} disabled={!formState.isDirty}>
        {texts.saveBank(bankName)}
      </Button>
    </form>
  )
}
