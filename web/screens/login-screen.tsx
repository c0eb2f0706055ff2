import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ForgotPassword } from '#web/features/identity/forgot-password.tsx'
import { LoginForm } from '#web/features/identity/login-form.tsx'
import { SignInFrame } from '#web/layout/sign-in-frame.tsx'
import { useReturn } from '#web/layout/use-return.ts'
import { delaysMs } from '#web/boot/delays.ts'
import type { SignedIn } from '#web/features/identity/sign-in-api.ts'
import { afterPause, useLazyPart } from '#web/platform/lazy-part.ts'
import { takeSessionEndedNotice } from '#web/platform/tab-storage.ts'
import { screenTitles } from '#web/platform/texts.ts'
import { signInTexts } from '#web/features/identity/sign-in-texts.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'

const loadPasskeys = afterPause(delaysMs.signInRules, () => import('#web/features/identity/passkey-sign-in.tsx'))

export function LoginScreen() {
  const { state, leave } = useReturn()
  useEffect(() => {
    if (takeSessionEndedNotice()) toast.info(signInTexts.sessionEnded)
  }, [])
  const [isProving, setIsProving] = useState(false)
  const { part } = useLazyPart(loadPasskeys, typeof PublicKeyCredential === 'function')
  const enter = ({ mustChangePassword }: SignedIn) => {
    toast.success(signInTexts.loginDone)
    leave(mustChangePassword)
  }
  return (
    <SignInFrame
      title={screenTitles.login}
      footer={
        <Link to="/register" state={state} className={buttonClass({ variant: 'ghost', isWide: true })}>
          {signInTexts.toRegister}
        </Link>
      }
    >
      <LoginForm onSignedIn={enter} onStep={setIsProving} />
      <div className="flex flex-wrap justify-between gap-x-3">
        <ForgotPassword />
        {part !== undefined && !isProving && <part.PasskeySignIn onSignedIn={enter} />}
      </div>
    </SignInFrame>
  )
}
