import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { BankAccount } from '#contract/banks.ts'
import { bankTexts } from './bank-texts.ts'
import { AccountNumber } from '#web/parts/account-number.tsx'
import { buttonClass, IconButton } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Pencil } from '#web/ui/icons/pencil.tsx'
import { Monogram } from '#web/ui/monogram.tsx'

export type BankListProps = {
  readonly banks: readonly BankAccount[]
  /** The contact who changes banks; undefined without a contact, and until the contact is loaded. */
  readonly supportContact: string | undefined
}

/** The linked banks. A player can't change a bank: the button beside a bank opens a dialog that says so (spec §5.3). */
export function BankList({ banks, supportContact }: BankListProps) {
  const [asked, setAsked] = useState<BankAccount | null>(null)
  return (
    <>
      <ul className="divide-y divide-line">
        {banks.map((bank) => (
          <li key={bank.id} className="flex items-center gap-3 py-2 pr-1 pl-4">
            <Monogram name={bank.bankName} />
            <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
              <p className="font-medium">{bank.bankName}</p>
              <p className="text-xs text-ink-2">
                <AccountNumber accountNumber={bank.accountNumber} /> · {bank.accountHolder}
              </p>
            </div>
            <IconButton label={bankTexts.edit(bank.bankName)} onClick={() => setAsked(bank)} className="text-ink-3">
              <Pencil aria-hidden size={18} strokeWidth={1.8} />
            </IconButton>
          </li>
        ))}
      </ul>
      <Dialog
        isOpen={asked !== null}
        onClose={() => setAsked(null)}
        title={bankTexts.editTitle}
        description={
          <>
            <span>{bankTexts.editRefused}</span>
            {supportContact !== undefined && (
              <>
                {' '}
                <strong className="font-semibold text-ink">{supportContact}</strong>
              </>
            )}
          </>
        }
        footer={
          <Link to="/support" className={buttonClass({ isWide: true })}>
            {bankTexts.toSupport}
          </Link>
        }
      />
    </>
  )
}
