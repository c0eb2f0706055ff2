import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'

/** Loads the library on first use: its many modules would lengthen the server's start. */
const library = () => import('@simplewebauthn/server')

export interface Passkey {
  readonly credentialId: string
  readonly publicKey: Uint8Array
  readonly signCount: number
  readonly transports: readonly string[]
}

const rpIdOf = (origin: string): string => new URL(origin).hostname

const described = ({ credentialId, transports }: Pick<Passkey, 'credentialId' | 'transports'>) => ({
  id: credentialId,
  transports: [...transports],
})

/**
 * @param existing the account's passkeys: on a device that has one of these, the browser makes no new passkey
 * @param isAlone true if the passkey opens the account without name and password: the device must then verify its user
 */
export const passkeyCreation = async (
  origin: string,
  issuer: string,
  user: { readonly id: string; readonly username: string },
  existing: readonly Pick<Passkey, 'credentialId' | 'transports'>[],
  isAlone: boolean,
) =>
  (await library()).generateRegistrationOptions({
    rpName: issuer,
    rpID: rpIdOf(origin),
    userName: user.username,
    userID: new Uint8Array(Buffer.from(user.id.replaceAll('-', ''), 'hex')),
    attestationType: 'none',
    excludeCredentials: existing.map(described),
    authenticatorSelection: isAlone
      ? { residentKey: 'required', userVerification: 'required' }
      : { residentKey: 'preferred', userVerification: 'preferred' },
  })

/** @param existing the passkeys that may be used; undefined for every passkey that the browser has for this site */
export const passkeyRequest = async (
  origin: string,
  existing?: readonly Pick<Passkey, 'credentialId' | 'transports'>[],
) =>
  (await library()).generateAuthenticationOptions({
    rpID: rpIdOf(origin),
    ...(existing !== undefined && { allowCredentials: existing.map(described) }),
    userVerification: existing === undefined ? 'required' : 'preferred',
  })

const expected = (origin: string, challenge: string, isAlone: boolean) => ({
  expectedChallenge: challenge,
  expectedOrigin: origin,
  expectedRPID: rpIdOf(origin),
  // After a password, the device is proof enough; without a password, the device must also verify its user.
  requireUserVerification: isAlone,
})

/** Verifies the browser's response about a new passkey. Returns null if it is invalid, also if the library throws. */
export async function readNewPasskey(
  origin: string,
  challenge: string,
  response: unknown,
  isAlone: boolean,
): Promise<Passkey | null> {
  const { verifyRegistrationResponse } = await library()
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      ...expected(origin, challenge, isAlone),
    })
    if (!verified) return null
    const { id, publicKey, counter, transports } = registrationInfo.credential
    return { credentialId: id, publicKey, signCount: counter, transports: transports ?? [] }
  } catch {
    return null
  }
}

export async function readPasskeyUse(
  origin: string,
  challenge: string,
  { credentialId, publicKey, signCount, transports }: Passkey,
  response: unknown,
  isAlone: boolean,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      ...expected(origin, challenge, isAlone),
      credential: {
        ...described({ credentialId, transports }),
        publicKey: Uint8Array.from(publicKey),
        counter: signCount,
      },
    })
    return verified ? authenticationInfo.newCounter : null
  } catch {
    return null
  }
}
