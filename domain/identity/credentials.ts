export const USERNAME_MIN = 3
export const USERNAME_MAX = 32
export const PASSWORD_MIN = 6
export const PASSWORD_MAX = 128

export const isUsername = (text: string): boolean =>
  text.length >= USERNAME_MIN && text.length <= USERNAME_MAX && /^[A-Za-z0-9]+$/.test(text)

/**
 * Returns the form in which a password is hashed, compared and counted (RFC 8265 §4.2). Keyboards type Vietnamese
 * composed or decomposed, and both spellings have to be the same password.
 */
export const normalPassword = (text: string): string => text.normalize('NFC')

export const passwordLength = (text: string): number => Array.from(normalPassword(text)).length

export const isPassword = (text: string): boolean =>
  passwordLength(text) >= PASSWORD_MIN && passwordLength(text) <= PASSWORD_MAX

export const usernameKey = (username: string): string => username.toLowerCase()

/** The actor of what nobody did, in the ledger and the audit log: no account takes this name (rules §4.4). */
const SYSTEM = 'system'
export const isNameOfSystem = (username: string): boolean => usernameKey(username) === SYSTEM

/** Longest part of a name that the SQL function `name_parts` returns, in characters. */
const PART_LETTERS = 3

export const usernameParts = (key: string): string[] =>
  Array.from({ length: Math.max(1, key.length - PART_LETTERS + 1) }, (_, at) => key.slice(at, at + PART_LETTERS))
