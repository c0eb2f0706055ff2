import { Controller } from 'react-hook-form'
import type { BankAccount } from '#contract/banks.ts'
import { MEMO_MAX, type RequestKind } from '#domain/cashier/request.ts'
import { cashRequestTexts } from './cashier-texts.ts'
import { formatAmount } from '#web/platform/formats.ts'
import type { CodeOf } from '#web/platform/http.ts'
import { moneyWarnings } from '#web/platform/money-warning-texts.ts'
import { maskAccountNumber } from '#web/parts/account-number.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { FormEnd } from '#web/ui/form-failure.tsx'
import { PlayMoneyLine } from '#web/parts/play-money-line.tsx'
import { Select } from '#web/ui/select.tsx'
import { useActForm } from '#web/ui/use-act-form.ts'
import { TextInput } from '#web/ui/text-input.tsx'
import type { Filing } from './api.ts'
import { amountOf, amountProblem, everything } from './request-amount.ts'
import { type ReactNode, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { Minor } from '#domain/money.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { NumberInput } from '#web/ui/number-input.tsx'

export type RequestFormProps = {
  readonly kind: RequestKind
  readonly balanceMinor: bigint
  /** At least one bank: the screen shows no form to a user without a bank. */
  readonly banks: readonly BankAccount[]
  /** Rejects if the server refuses the request or does not answer. */
  readonly onFile: (filing: Filing) => Promise<unknown>
  readonly onFiled: () => void
}

const amountCodes = {
  AMOUNT_REQUIRED: 'amount',
  AMOUNT_LIMIT: 'amount',
  INSUFFICIENT_FUNDS: 'amount',
} as const satisfies Partial<Record<CodeOf<'fileRequest'>, string>>

/** The form of a deposit or withdrawal (spec §5.3). After a failure, the form keeps the typed text. */
export function RequestForm({ kind, balanceMinor, banks, onFile, onFiled }: RequestFormProps) {
  const isDeposit = kind === 'deposit'
  const { register, control, errors, isBusy, failure, submit } = useActForm({
    defaultValues: { amount: '', bankId: banks[0]?.id ?? '', words: '' },
    fieldByCode: amountCodes,
    failText: cashRequestTexts.failed,
    run: ({ amount, bankId, words }) =>
      onFile({ kind, amountMinor: amountOf(amount, balanceMinor), words: words.trim(), bankId }),
    onDone: onFiled,
  })

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {isDeposit && <Banner tone="warn">{moneyWarnings.depositsAndChat}</Banner>}
      <Controller
        control={control}
        name="amount"
        rules={{ validate: (value) => amountProblem(kind, value, balanceMinor) ?? true }}
        render={({ field }) => (
          <AmountField
            {...field}
            hint={isDeposit ? cashRequestTexts.depositHint : cashRequestTexts.withdrawHint(formatAmount(balanceMinor))}
            error={errors.amount?.message}
            allMinor={isDeposit ? null : balanceMinor}
          />
        )}
      />
      <Select
        label={cashRequestTexts.bank}
        options={banks.map(({ id, bankName, accountNumber }) => ({
          value: id,
          label: `${bankName} ${maskAccountNumber(accountNumber)}`,
        }))}
        {...register('bankId')}
      />
      <TextInput
        label={isDeposit ? cashRequestTexts.memo : cashRequestTexts.withdrawalNote}
        hint={cashRequestTexts.memoHint}
        maxLength={MEMO_MAX}
        autoComplete="off"
        {...register('words')}
      />
      <FormEnd failure={failure} isBusy={isBusy}>
        {isDeposit ? cashRequestTexts.submitDeposit : cashRequestTexts.submitWithdraw}
      </FormEnd>
      <PlayMoneyLine />
    </form>
  )
}

type AmountFieldProps = {
  /** The typed text, or `everything`; '' while the field is empty. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onBlur: () => void
  readonly name: string
  readonly ref: (element: HTMLInputElement | null) => void
  readonly hint: ReactNode
  readonly error: string | undefined
  /** The amount that the button "Rút hết" (withdraw all) fills in. Null in a form without that button. */
  readonly allMinor: Minor | null
}

/** The field for an amount. Only whole points can be typed. "Rút hết" takes the whole balance with its decimals. */
function AmountField({ value, onChange, allMinor, hint, error, ref, ...input }: AmountFieldProps) {
  const row = useRef<HTMLDivElement>(null)
  const isAll = allMinor !== null && value === everything
  const choose = (next: string) => {
    // The field that shows the choice is rendered at once and then focused, so that a screen reader reads it.
    flushSync(() => onChange(next))
    row.current?.querySelector('input')?.focus()
  }
  const look = { className: 'min-w-0 flex-1', label: cashRequestTexts.amount, hint, error }
  return (
    <div ref={row} className="flex items-start gap-2">
      {isAll ? (
        <TextInput {...look} ref={ref} readOnly value={`${formatAmount(allMinor)} ${commonTexts.points}`} />
      ) : (
        <NumberInput {...look} {...input} ref={ref} value={value} onChange={onChange} unit={commonTexts.points} />
      )}
      {allMinor !== null && (
        <Button variant="outline" className="mt-[1.65rem] shrink-0" onClick={() => choose(isAll ? '' : everything)}>
          {isAll ? cashRequestTexts.otherAmount : cashRequestTexts.withdrawAll}
        </Button>
      )}
    </div>
  )
}
