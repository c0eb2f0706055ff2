import { Link } from '@tanstack/react-router'
import { RegisterForm } from '#web/features/identity/register-form.tsx'
import { SignInFrame } from '#web/layout/sign-in-frame.tsx'
import { useReturn } from '#web/layout/use-return.ts'
import { screenTitles } from '#web/platform/texts.ts'
import { signInTexts } from '#web/features/identity/sign-in-texts.ts'
import { HelpLink } from '#web/parts/help-link.tsx'
import { buttonClass } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'

export function RegisterScreen() {
  const { state, leave } = useReturn()
  return (
    <SignInFrame
      title={screenTitles.register}
      footer={
        <>
          <Link to="/login" state={state} className={buttonClass({ variant: 'ghost', isWide: true })}>
            {signInTexts.toLogin}
          </Link>
          <p className="text-center text-sm text-ink-2">
            <HelpLink question="dieu-khoan">{signInTexts.terms}</HelpLink>
          </p>
        </>
      }
    >
      <RegisterForm
        onSignedIn={() => {
          toast.success(signInTexts.registerDone)
          leave()
        }}
      />
    </SignInFrame>
  )
}
