import { Link, useNavigate } from '@tanstack/react-router'
import { RegisterForm } from '#web/features/identity/register-form.tsx'
import { SignInFrame } from '#web/layout/sign-in-frame.tsx'
import { screenTitles } from '#web/platform/texts.ts'
import { signInTexts } from '#web/features/identity/sign-in-texts.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'

export function RegisterScreen() {
  const navigate = useNavigate()
  return (
    <SignInFrame
      title={screenTitles.register}
      footer={
        <Link to="/login" className={buttonClass({ variant: 'ghost', isWide: true })}>
          {signInTexts.toLogin}
        </Link>
      }
    >
      <RegisterForm
        onSignedIn={() => {
          toast.success(signInTexts.registerDone)
          void navigate({ to: '/', replace: true })
        }}
      />
    </SignInFrame>
  )
}
