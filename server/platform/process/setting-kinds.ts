import { createECDH, hash } from 'node:crypto'
import { isIP } from 'node:net'
import { fromBase64 } from '#domain/book/bytes.ts'
import { COSIGNATURE, parseVkey } from '#domain/book/note.ts'

export interface SettingKind<Value> {
  readonly allowed: string
  readonly read: (text: string) => Value | null
}

export const matching = (allowed: string, pattern: RegExp): SettingKind<string> => ({
  allowed,
  read: (text) => (pattern.test(text) ? text : null),
})

export const wholeNumber = (least: number, most: number): SettingKind<number> => ({
  allowed: `a whole number from ${least} to ${most}`,
  read: (text) => (/^\d{1,15}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : null),
})

export const wholeNumberOrOff = (least: number, most: number): SettingKind<number | 'off'> => ({
  allowed: `a whole number from ${least} to ${most}, or off`,
  read: (text) => (text === 'off' ? 'off' : wholeNumber(least, most).read(text)),
})

export const oneOf = <const Word extends string>(...words: readonly Word[]): SettingKind<Word> => ({
  allowed: `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`,
  read: (text) => words.find((word) => word === text) ?? null,
})

export const yesOrNo: SettingKind<boolean> = {
  allowed: 'yes or no',
  read: (text) => (text === 'yes' ? true : text === 'no' ? false : null),
}

export const line = (most: number): SettingKind<string> => ({
  allowed: `up to ${most} characters on one line`,
  read: (text) => (text.length <= most && !/\p{Cc}/u.test(text) ? text : null),
})

export const visibleAscii = (least: number, most: number): SettingKind<string> =>
  matching(`${least} to ${most} visible ASCII characters`, new RegExp(`^[\\x21-\\x7e]{${least},${most}}$`))

export const folderPath: SettingKind<string> = { allowed: 'a path', read: line(1_000).read }

export const key32: SettingKind<string> = {
  allowed: '32 bytes in base64',
  read: (text) => (fromBase64(text)?.length === 32 ? text : null),
}

function httpUrl(text: string): URL | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  return ['http:', 'https:'].includes(url.protocol) && url.hostname !== '' ? url : null
}

export const httpBase: SettingKind<string> = {
  allowed: 'http://… or https://… without a query',
  read: (text) => (httpUrl(text) === null || /[?#]/.test(text) ? null : text.replace(/\/+$/, '')),
}

export function readOrigin(text: string): string | null {
  const origin = httpUrl(text)?.origin
  return origin === text.replace(/\/$/, '') ? origin : null
}

export function readProxies(text: string): readonly string[] | null {
  const parts = text.split(',').map((part) => part.trim())
  const isAllowed = parts.every((part) => {
    const [address = '', bits, ...rest] = part.split('/')
    const most = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : -1
    return rest.length === 0 && most > 0 && (bits === undefined || wholeNumber(1, most).read(bits) !== null)
  })
  return isAllowed ? parts : null
}

/** Parses `vkey@https://…,…`: key and address of each witness (c2sp.org/tlog-witness). Null if a part is malformed. */
export function readWitnesses(text: string) {
  const list = text.split(',').map((part) => {
    const [, vkey = '', address = ''] = /^\s*([^@\s]+)@(\S+)\s*$/.exec(part) ?? []
    const key = parseVkey((bytes) => hash('sha256', bytes, 'buffer'), vkey)
    const url = httpBase.read(address)
    return key?.type === COSIGNATURE && url !== null ? { key, url } : null
  })
  const found = list.filter((witness) => witness !== null)
  return found.length === list.length ? found : null
}

/** Returns the text if it is a private key of P-256: 32 bytes in base64url, a number from 1 to the order minus 1. */
export function readPrivateKey(text: string): string | null {
  if (!/^[\w-]{43}$/.test(text)) return null
  try {
    createECDH('prime256v1').setPrivateKey(text, 'base64url')
    return text
  } catch {
    return null
  }
}
