import type { UseFormSetError } from 'react-hook-form'
import * as z from 'zod/mini'
import { isUsername, normalPassword, PASSWORD_MAX, PASSWORD_MIN, passwordLength } from '#domain/identity/credentials.ts'
import { resolverOf } from '#web/ui/form-resolver.ts'
import { signInTexts } from './sign-in-texts.ts'
import { loadPublicConfig } from './api.ts'
import { register, type SignedIn, signIn } from './sign-in-api.ts'
import { type CodeOf, failureText, mayBeDone, refusalOf, unsureOf } from '#web/platform/http.ts'
import { showAtField } from '#web/ui/refused-field.ts'

/** Checks the fields of the registration form and sends them. The form prefetches this file. */

/** Returns false if the code is certainly wrong (spec §5.1). If the right code is unknown here, the server decides. */
async function isReferralCode(code: string): Promise<boolean> {
  try {
    const { referralCode } = await loadPublicConfig()
    return referralCode === null || code === referralCode
  } catch {
    return true
  }
}

/**
 * Repeats the server's rules (spec §5.1, rules §4.4), so that most mistakes are shown without a request. No rule has
 * `abort`, because an abort would skip the comparison of the two passwords.
 */
const fields = z
  .object({
    referralCode: z
      .string()
      .check(
        z.trim(),
        z.minLength(1, signInTexts.referralRequired),
        z.refine(isReferralCode, signInTexts.referralWrong),
      ),
    username: z
      .string()
      .check(
        z.trim(),
        z.minLength(1, signInTexts.usernameRequired),
        z.regex(/^[A-Za-z0-9]+$/, signInTexts.usernameLetters),
        z.refine(isUsername, signInTexts.usernameInvalid),
      ),
    password: z.string().check(
      z.minLength(1, signInTexts.passwordRequired),
      z.refine((text) => passwordLength(text) >= PASSWORD_MIN, signInTexts.passwordTooShort),
      z.refine((text) => passwordLength(text) <= PASSWORD_MAX, signInTexts.passwordTooLong),
    ),
    passwordAgain: z.string(),
  })
  .check(
    z.refine((values) => normalPassword(values.passwordAgain) === normalPassword(values.password), {
      error: signInTexts.passwordsDiffer,
      path: ['passwordAgain'],
      // The comparison runs even if other fields are wrong, so that one submit shows all mistakes.
      when: () => true,
    }),
  )
export const resolver = resolverOf(fields)

export type RegisterValues = z.output<typeof fields>

const fieldByCode = {
  REFERRAL_WRONG: 'referralCode',
  USERNAME_INVALID: 'username',
  USERNAME_TAKEN: 'username',
  PASSWORD_INVALID: 'password',
  PASSWORD_MISMATCH: 'passwordAgain',
} as const satisfies Partial<Record<CodeOf<'register'>, string>>

/** By a form's `setError`: name and password of its last registration that failed here, but may have been executed. */
const unanswered = new WeakMap<object, string>()

/** Registers the user. If an earlier try with this name and password did so, and its answer was lost, signs in. */
async function registerOnce(values: RegisterValues, form: object): Promise<SignedIn> {
  const { username, password } = values
  const intent = JSON.stringify([username, password])
  try {
    return await register(values)
  } catch (error) {
    if (mayBeDone(error)) unanswered.set(form, intent)
    if (refusalOf<'register'>(error)?.code !== 'USERNAME_TAKEN' || unanswered.get(form) !== intent) throw error
    const session = await signIn({ username, password }).catch((failed: unknown) => {
      // Only a wrong password tells that somebody else has the name. A crowd or a block does not.
      throw refusalOf<'login'>(failed)?.code === 'LOGIN_FAILED' ? error : unsureOf(failed)
    })
    if ('challenge' in session) throw error
    return session
  }
}

/** Sends the registration. On failure, shows the error in the form and returns null. */
export async function submitRegistration(
  values: RegisterValues,
  setError: UseFormSetError<RegisterValues>,
): Promise<SignedIn | null> {
  try {
    return await registerOnce(values, setError)
  } catch (error) {
    if (!showAtField(error, setError, fieldByCode, signInTexts.registerFailed))
      setError('root.server', { message: failureText(error, signInTexts.registerFailed) })
    return null
  }
}
