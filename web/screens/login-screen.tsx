import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ForgotPassword } from '#web/features/identity/forgot-password.tsx'
import { LoginForm } from '#web/features/identity/login-form.tsx'
import { SignInFrame } from '#web/layout/sign-in-frame.tsx'
import { useReturn } from '#web/layout/use-return.ts'
import { takeSessionEndedNotice } from '#web/platform/tab-storage.ts'
import { screenTitles } from '#web/platform/texts.ts'
import { signInTexts } from '#web/features/identity/sign-in-texts.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'

export function LoginScreen() {
  const navigate = useNavigate()
  const { state, leave } = useReturn()
  useEffect(() => {
    if (takeSessionEndedNotice()) toast.info(signInTexts.sessionEnded)
  }, [])
  return (
    <SignInFrame
      title={screenTitles.login}
      footer={
        <Link to="/register" state={state} className={buttonClass({ variant: 'ghost', isWide: true })}>
          {signInTexts.toRegister}
        </Link>
      }
    >
      <LoginForm
        onSignedIn={({ mustChangePassword }) => {
          toast.success(signInTexts.loginDone)
          if (mustChangePassword) void navigate({ to: '/change-password', replace: true })
          else leave()
        }}
      />
      <ForgotPassword />
    </SignInFrame>
  )
}
