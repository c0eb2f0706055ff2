export const REPLIES_MAX = 100
export const REPLY_NAME = /^[a-z0-9]{1,20}$/

/** Stands in a canned reply for a placeholder without a known value, so that the sender sees what is missing. */
export const GAP = '___'

const PLACEHOLDER = /\{([\p{L}\p{M}\d ]{1,30})\}/gu
const nameOf = (written: string): string => written.normalize('NFC').trim().toLowerCase()

export const placeholdersOf = (text: string): string[] =>
  [...text.matchAll(PLACEHOLDER)].map(([, written = '']) => nameOf(written))

export const replyFor = (text: string, facts: ReadonlyMap<string, string>): string =>
  text.replaceAll(PLACEHOLDER, (_, written: string) => facts.get(nameOf(written)) ?? GAP)
