import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** One value of ASN.1 in DER (ITU-T X.690). */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  const { length } = body
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
const bytes = (hex: string) => Buffer.from(hex, 'hex')
const utcTime = (text: string) => der(0x18, Buffer.from(text))

const ECDSA_WITH_SHA256 = sequence(bytes('06082a8648ce3d040302'))
const COMMON_NAME = bytes('0603550403')
const SUBJECT_ALT_NAME = bytes('0603551d11')
const BASIC_CONSTRAINTS = bytes('0603551d13')

/** A certificate for a host (RFC 5280) that is signed only by itself, and its key, as PEM. */
export function selfSigned(host: string): { readonly cert: string; readonly key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(host)))))
  const extensions = sequence(
    sequence(SUBJECT_ALT_NAME, der(0x04, sequence(der(0x82, Buffer.from(host))))),
    sequence(BASIC_CONSTRAINTS, der(0x04, sequence(bytes('0101ff')))),
  )
  const toSign = sequence(
    der(0xa0, bytes('020102')),
    der(0x02, bytes('01'), randomBytes(8)),
    ECDSA_WITH_SHA256,
    name,
    sequence(utcTime('20250101000000Z'), utcTime('20990101000000Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  )
  const signature = der(0x03, bytes('00'), sign('sha256', toSign, privateKey))
  const cert = sequence(toSign, ECDSA_WITH_SHA256, signature)
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${cert.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  }
}
