import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'

export const passkeyStopped = new Error('No passkey was used')

/** The browser's signature. Throws `passkeyStopped` where its user stopped it or it has no such passkey. */
export async function readPasskey(options: unknown): Promise<{ readonly passkey: Record<string, unknown> }> {
  try {
    const { startAuthentication } = await import('@simplewebauthn/browser')
    const passkey: AuthenticationResponseJSON = await startAuthentication({
      optionsJSON: options as PublicKeyCredentialRequestOptionsJSON,
    })
    return { passkey: { ...passkey } }
  } catch {
    throw passkeyStopped
  }
}
