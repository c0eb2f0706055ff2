import '#web/platform/zod.ts'
import * as z from 'zod/mini'
import type { FactorStep } from '#contract/sign-in.ts'
import { failureText } from '#web/platform/http.ts'
import { signInTexts } from './sign-in-texts.ts'
import { type SignedIn, signIn } from './sign-in-api.ts'

/** Checks the fields of the login form and sends them. The form prefetches this file, or loads the file on submit. */

/** Both fields have to be filled in (spec §5.1). The server checks the rest. */
const fields = z.object({
  username: z.string().check(z.trim(), z.minLength(1, signInTexts.usernameRequired)),
  password: z.string().check(z.minLength(1, signInTexts.passwordRequired)),
})

export type LoginErrors = Partial<Record<'username' | 'password' | 'form', string | undefined>>

export type LoginOutcome =
  | { readonly ok: true; readonly session: SignedIn | FactorStep }
  | { readonly ok: false; readonly errors: LoginErrors }

export async function submitLogin(values: z.input<typeof fields>): Promise<LoginOutcome> {
  const checked = z.safeParse(fields, values)
  if (!checked.success) {
    const { fieldErrors } = z.flattenError(checked.error)
    return { ok: false, errors: { username: fieldErrors.username?.[0], password: fieldErrors.password?.[0] } }
  }
  try {
    return { ok: true, session: await signIn(checked.data) }
  } catch (error) {
    return { ok: false, errors: { form: failureText(error, signInTexts.loginFailed) } }
  }
}
