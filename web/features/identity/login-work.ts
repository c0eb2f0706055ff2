import '#web/platform/zod.ts'
import * as z from 'zod/mini'
import type { FactorStep } from '#contract/sign-in.ts'
import { failureText } from '#web/platform/http.ts'
import { signInTexts } from './sign-in-texts.ts'
import { type SignedIn, signIn } from './sign-in-api.ts'

/** The rules of the login form, and its call to the server. The form prefetches this file, or loads it on submit. */

/** The only rule is that both fields are filled in (spec §5). The server checks everything else. */
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
