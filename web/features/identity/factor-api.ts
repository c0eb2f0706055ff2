import { factorEndpoints } from '#contract/factors.ts'
import { callRepeatable } from '#web/platform/api.ts'
import { readPasskey } from './read-passkey.ts'
import { keepSession, type SignedIn, withDeviceSecret } from './sign-in-api.ts'

export type FactorProof =
  | { readonly code: string }
  | { readonly recoveryCode: string }
  | { readonly passkey: Record<string, unknown> }
  | { readonly password: string }

/** Finishes a sign-in with a second factor and stores the token. */
export async function finishSignIn(challenge: string, proof: FactorProof): Promise<SignedIn> {
  const body = withDeviceSecret({ challenge, ...proof })
  return keepSession(await callRepeatable(factorEndpoints.finishSignIn, { body }))
}

/** Signs a player in with a passkey and stores the token. */
export async function signInByPasskey(): Promise<SignedIn> {
  const { challenge, options } = await callRepeatable(factorEndpoints.beginPasskeySignIn, {})
  const body = withDeviceSecret({ challenge, ...(await readPasskey(options)) })
  return keepSession(await callRepeatable(factorEndpoints.signInByPasskey, { body }))
}
