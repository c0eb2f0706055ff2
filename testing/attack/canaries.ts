import { randomBytes } from 'node:crypto'

/** Values that nobody may find anywhere but where they were put. */
export interface Canaries {
  /** A value of ASCII letters and digits, under a name by which the test recognises it. */
  make(name: string, prefix?: string): string
  /** A value that the server made, or that cannot be of any letters: at least 6 characters. */
  keep(name: string, value: string): string
  readonly names: readonly string[]
  /** `name (form)` for each value that a text has, in any of the forms that a program writes. */
  findIn(text: string): string[]
}

export function createCanaries(): Canaries {
  const kept = new Map<string, string>()
  const keep = (name: string, value: string): string => {
    if (value.length < 6) throw new Error(`${name} is too short: other texts may have it by chance`)
    if (kept.has(name)) throw new Error(`${name} was kept before`)
    kept.set(name, value)
    return value
  }
  return {
    make: (name, prefix = 'kim') => keep(name, `${prefix}${randomBytes(8).toString('hex')}`),
    keep,
    get names() {
      return [...kept.keys()]
    },
    findIn(text) {
      const lower = text.toLowerCase()
      return [...kept].flatMap(([name, value]) =>
        formsOf(value).flatMap(([form, written]) =>
          lower.includes(written.toLowerCase()) ? [`${name} (${form})`] : [],
        ),
      )
    },
  }
}

/** The forms are compared without regard to capitals: a value that shows up in other capitals is a leak as well. */
function formsOf(value: string): ReadonlyArray<readonly [form: string, written: string]> {
  const bytes = Buffer.from(value)
  const uri = encodeURIComponent(value)
  const json = JSON.stringify(value).slice(1, -1)
  return [
    ['as it is', value],
    ...(uri === value ? [] : [['in a URL', uri] as const]),
    ...(json === value ? [] : [['in JSON', json] as const]),
    ['hexadecimal', bytes.toString('hex')],
    // A part of a longer text in Base64 has one of three forms, and the characters at its ends depend on the text
    // around.
    ...[0, 1, 2].flatMap((before) => {
      const padded = Buffer.concat([Buffer.alloc(before), bytes])
      const inner = (text: string) => text.slice(before === 0 ? 0 : before + 1, Math.floor((padded.length * 4) / 3) - 1)
      return (['base64', 'base64url'] as const).map((form) => [form, inner(padded.toString(form))] as const)
    }),
  ]
}
