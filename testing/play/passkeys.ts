import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** An authenticator in software: a passkey (WebAuthn, with the attestation `none`), and its later signatures. */
export function makePasskey(origin: string, challenge: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
  const cose = [
    hex('a5 01 02 03 26 20 01 21 58 20'),
    Buffer.from(x, 'base64url'),
    hex('22 58 20'),
    Buffer.from(y, 'base64url'),
  ]
  const rpIdHash = createHash('sha256').update(new URL(origin).hostname).digest()
  const authData = Buffer.concat([rpIdHash, hex('45 00000000'), Buffer.alloc(16), hex('0010'), id, ...cose])
  const attestation = [
    hex('a3 63'),
    Buffer.from('fmt'),
    hex('64'),
    Buffer.from('none'),
    hex('67'),
    Buffer.from('attStmt'),
  ]
  const whole = Buffer.concat([
    ...attestation,
    hex('a0 68'),
    Buffer.from('authData'),
    hex('58'),
    Buffer.from([authData.length]),
    authData,
  ])
  const clientData = JSON.stringify({ type: 'webauthn.create', challenge, origin })
  const described = {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
  }
  const made: Record<string, unknown> = {
    ...described,
    response: {
      clientDataJSON: Buffer.from(clientData).toString('base64url'),
      attestationObject: whole.toString('base64url'),
    },
  }
  /** @param isVerified whether the device verified its user */
  const use = (asked: string, isVerified = true): Record<string, unknown> => {
    const data = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge: asked, origin }))
    const device = Buffer.concat([rpIdHash, hex(isVerified ? '05' : '01'), Buffer.alloc(4)])
    const signed = Buffer.concat([device, createHash('sha256').update(data).digest()])
    return {
      ...described,
      response: {
        clientDataJSON: data.toString('base64url'),
        authenticatorData: device.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
      },
    }
  }
  return { made, use }
}
