import { useController } from 'react-hook-form'
import * as z from 'zod/mini'
import { bankEndpoints } from '#contract/banks.ts'
import {
  ACCOUNT_NUMBER_MAX,
  ACCOUNT_NUMBER_MIN,
  BANK_NAME_MAX,
  badBankFields,
  type BankDetails,
  HOLDER_MAX,
} from '#domain/banks/bank.ts'
import { bankTexts } from './bank-texts.ts'
import { resolverOf } from '#web/ui/form-resolver.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { refusalOf } from '#web/platform/http.ts'
import { refresh } from '#web/platform/query-client.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'
import { moneyWarnings } from '#web/platform/money-warning-texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { FormEnd } from '#web/ui/form-failure.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { useActForm } from '#web/ui/use-act-form.ts'
import { toast } from '#web/ui/toast.tsx'
import { banksQuery } from './api.ts'
import { BankPicker } from './bank-picker.tsx'

const name = (max: number, required: string, tooLong: string) =>
  z.string().check(z.trim(), z.minLength(1, { error: required, abort: true }), z.maxLength(max, tooLong))
const fields = z.object({
  bankName: name(BANK_NAME_MAX, bankTexts.bankNameRequired, bankTexts.bankNameTooLong),
  accountNumber: z
    .string()
    .check(
      z.minLength(1, { error: bankTexts.accountNumberRequired, abort: true }),
      z.regex(new RegExp(`^\\d{${ACCOUNT_NUMBER_MIN},${ACCOUNT_NUMBER_MAX}}$`), bankTexts.accountNumberInvalid),
    ),
  accountHolder: name(HOLDER_MAX, bankTexts.accountHolderRequired, bankTexts.accountHolderTooLong),
})
const resolver = resolverOf(fields)

const sentences: Readonly<Record<keyof BankDetails, string>> = {
  bankName: bankTexts.bankNameRequired,
  accountNumber: bankTexts.accountNumberInvalid,
  accountHolder: bankTexts.accountHolderRequired,
}

/** The form that links a bank (spec §5.3). After a failure, the form keeps the typed text. */
export function BankForm({ userId }: { readonly userId: string }) {
  const banksKey = banksQuery(userId).queryKey
  const { register, control, setError, reset, errors, isBusy, failure, submit } = useActForm({
    resolver,
    defaultValues: { bankName: '', accountNumber: '', accountHolder: '' },
    failText: bankTexts.failed,
    run: async (details: BankDetails) => {
      await callEndpoint(bankEndpoints.addBank, { body: { ...details, ownerId: userId } })
      toast.success(bankTexts.added)
      reset()
      await refresh(banksKey, sharedKeys.me, sharedKeys.config)
    },
    onFailure: (error, details) => {
      const code = refusalOf<'addBank'>(error)?.code
      // Despite the failure, a bank may have been linked: by another tab, or by this call if only its answer was lost.
      void refresh(banksKey)
      // The server does not name the wrong field, but it uses `badBankFields`, too. So the same check finds the field.
      const [field] = code === 'BANK_INVALID' ? badBankFields(details) : []
      if (field !== undefined) setError(field, { message: sentences[field] }, { shouldFocus: true })
      return field !== undefined
    },
  })
  // The fields are registered in the form's order, since the focus goes to the first registered field with an error.
  const bankField = useController({ control, name: 'bankName' }).field
  const numberField = register('accountNumber')

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Banner tone="warn">{moneyWarnings.bankForm}</Banner>
      <BankPicker {...bankField} error={errors.bankName?.message} />
      <TextInput
        label={bankTexts.accountNumber}
        inputMode="numeric"
        autoComplete="off"
        maxLength={ACCOUNT_NUMBER_MAX + 10}
        error={errors.accountNumber?.message}
        {...numberField}
        onChange={(event) => {
          // Only digits are kept (spec §5.3), since pasted text may contain spaces or dots.
          event.target.value = event.target.value.replaceAll(/\D/g, '').slice(0, ACCOUNT_NUMBER_MAX)
          return numberField.onChange(event)
        }}
      />
      <TextInput
        label={bankTexts.accountHolder}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        error={errors.accountHolder?.message}
        {...register('accountHolder')}
      />
      <FormEnd failure={failure} isBusy={isBusy}>
        {bankTexts.submit}
      </FormEnd>
    </form>
  )
}
