import { BALANCE_MAX_MINOR, type Minor, MINOR_PER_POINT, minorToText } from './money.ts'

export type NumberKind = 'whole' | 'cents'

export type NumberProblem = 'empty' | 'signed' | 'fraction' | 'large' | 'unclear'

export type TypedNumber =
  | { readonly ok: true; readonly minor: Minor }
  | { readonly ok: false; readonly problem: NumberProblem }

/** The forms of a number. No text fits two: decimals have at most two digits, and groups have three. */
const forms = [
  { form: /^(\d*)(?:[.,](\d{0,2}))?$/, groups: /$/ },
  { form: /^([1-9]\d{0,2}(?:\.\d{3})+)(?:,(\d{0,2}))?$/, groups: /\./g },
  { form: /^([1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d{0,2}))?$/, groups: /,/g },
] as const

const wide = /[０-９．，]/g
const WIDE_AHEAD = '０'.charCodeAt(0) - '0'.charCodeAt(0)

const refused = (problem: NumberProblem): TypedNumber => ({ ok: false, problem })

/** Reads a number as a person typed it, with or without the unit "điểm" (rules §6.1). */
export function readNumber(typed: string, kind: NumberKind): TypedNumber {
  const text = typed
    .normalize('NFC')
    .replace(wide, (letter) => String.fromCharCode(letter.charCodeAt(0) - WIDE_AHEAD))
    .trim()
    .replace(/\s*điểm$/iu, '')
  if (text === '') return refused('empty')
  if (/^[+\-−–]|[+\-−–]$/.test(text)) return refused('signed')
  for (const { form, groups } of forms) {
    const [isForm, head = '', decimals = ''] = form.exec(text) ?? []
    if (isForm === undefined || head + decimals === '') continue
    const whole = head.replace(groups, '').replace(/^0+(?=\d)/, '')
    if (whole.length > String(BALANCE_MAX_MINOR).length) return refused('large')
    const minor = BigInt(whole + decimals.padEnd(2, '0'))
    if (kind === 'whole' && minor % MINOR_PER_POINT !== 0n) return refused('fraction')
    return minor > BALANCE_MAX_MINOR ? refused('large') : { ok: true, minor }
  }
  return refused('unclear')
}

export function minorTyped(typed: string, kind: NumberKind): Minor | null {
  const read = readNumber(typed, kind)
  return read.ok ? read.minor : null
}

export const typedText = (minor: Minor): string =>
  minorToText(minor)
    .replace(/\.00$/, '')
    .replace(/(\.\d)0$/, '$1')
