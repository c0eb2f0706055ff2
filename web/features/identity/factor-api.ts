import { factorEndpoints } from '#contract/factors.ts'
import type { FactorStep } from '#contract/sign-in.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { readPasskey } from './read-passkey.ts'
import { keepSession, type SignedIn, withDeviceSecret } from './sign-in-api.ts'

export type FactorProof =
  | { readonly code: string }
  | { readonly recoveryCode: string }
  | { readonly passkey: Record<string, unknown> }
  | { readonly password: string }

/** Finishes a sign-in and stores the token. */
export async function finishSignIn(challenge: string, proof: FactorProof): Promise<SignedIn> {
  const body = withDeviceSecret({ challenge, ...proof })
  return keepSession(await callEndpoint(factorEndpoints.finishSignIn, { body }))
}

/** Signs a player in, and stores the token. */
export async function signInByPasskey(): Promise<SignedIn> {
  const { challenge, options } = await callEndpoint(factorEndpoints.beginPasskeySignIn, {})
  const body = withDeviceSecret({ challenge, ...(await readPasskey(options)) })
  return keepSession(await callEndpoint(factorEndpoints.signInByPasskey, { body }))
}

export const beginProof = (): Promise<FactorStep> => callEndpoint(factorEndpoints.beginProof, {})

/** Removes the account's first factor, which another session added, and sets another password. */
export const undoFactors = (body: { readonly currentPassword: string; readonly newPassword: string }) =>
  callEndpoint(factorEndpoints.undoFactors, { body })

export const proveFactor = (challenge: string, proof: FactorProof) =>
  callEndpoint(factorEndpoints.prove, { body: { challenge, ...proof } })
