import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'

/** An AbortError: whoever has left the form meanwhile has given up the browser's question, and learns of no failure. */
export const passkeyStopped = new DOMException('No passkey was used', 'AbortError')

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
