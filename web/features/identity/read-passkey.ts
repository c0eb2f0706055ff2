import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'

export const passkeyStopped = new Error('No passkey was used')

/** Asks the browser for a passkey. Throws `passkeyStopped` if that fails. */
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
