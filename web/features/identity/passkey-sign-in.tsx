import { failureText } from '#web/platform/http.ts'
import { useAct } from '#web/ui/use-act.ts'
import { signInByPasskey } from './factor-api.ts'
import { factorTexts } from './factor-texts.ts'
import { usePublicConfig } from './public-config.ts'
import { passkeyStopped } from './read-passkey.ts'
import type { SignedIn } from './sign-in-api.ts'
import { signInTexts } from './sign-in-texts.ts'

/** A button that signs in with a passkey. The browser is asked for a passkey only after a click (rules §4.12). */
export function PasskeySignIn({ onSignedIn }: { readonly onSignedIn: (session: SignedIn) => void }) {
  const config = usePublicConfig()
  const { start, isBusy } = useAct({
    failText: (error) =>
      error === passkeyStopped ? factorTexts.passkeyStopped : failureText(error, signInTexts.loginFailed),
    isToasted: true,
    run: signInByPasskey,
    onDone: onSignedIn,
  })
  if (config?.hasPasskeys !== true) return null
  return (
    <button
      type="button"
      aria-busy={isBusy}
      onClick={() => start()}
      className="min-h-target rounded-s text-sm font-medium text-ink-2 transition-colors hover:text-ink"
    >
      {factorTexts.byPasskey}
    </button>
  )
}
