import { useState } from 'react'
import { signInTexts } from './sign-in-texts.ts'
import { useSupportContact } from './public-config.ts'

/** Names the contact for a forgotten password, since there is no automatic reset (rules §4.4). */
export function ForgotPassword() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="flex flex-col items-start text-sm">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="min-h-target rounded-s font-medium text-ink-2 transition-colors hover:text-ink"
      >
        {signInTexts.forgotPassword}
      </button>
      <div role="status">{isOpen && <Help />}</div>
    </div>
  )
}

function Help() {
  const contact = useSupportContact()
  return (
    <p className="text-ink-2">
      {contact === undefined ? signInTexts.forgotPasswordHelpUnknown : signInTexts.forgotPasswordHelp(contact)}
    </p>
  )
}
