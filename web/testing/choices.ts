import { fireEvent } from '@testing-library/react'
import { expect } from 'vitest'

/**
 * For screens on which one of many is chosen – a conversation, a request, an account: fill every field there, choose
 * another one, and no filled text of the first may be on the screen or in a call.
 */

/** Digits alone, so that fields of numbers take them too. */
const mark = '48151623'

const fields =
  'textarea, input:not([type=checkbox], [type=radio], [type=hidden], [type=file], [type=date]), input[type=file]'

/** Writes into everything in this part that takes a text, and chooses a file of this type wherever one can be chosen. */
export function fillEverything(part: HTMLElement, type = 'image/png'): void {
  const filled = [...part.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(fields)].filter(
    (field) => !field.disabled && !field.readOnly,
  )
  if (filled.length === 0) throw new Error('There is nothing to fill')
  for (const field of filled) {
    const files = [new File(['bytes'], `${mark}.${type.slice(-3)}`, { type })]
    fireEvent.change(field, { target: field.type === 'file' ? { files } : { value: mark } })
  }
  expect(tracesOn(part).length, 'what was filled shows').toBeGreaterThan(0)
}

/** Fails if any filled text is on the page, in an address or in one of these calls. */
export function expectNothingFilled(calls: readonly unknown[]): void {
  expect(tracesOn(document.body)).toEqual([])
  const sent = calls.map((call) =>
    JSON.stringify(call, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
  )
  expect(sent.filter((call) => call.includes(mark))).toEqual([])
}

/** Every text, value and attribute of a part that contains the mark, with any grouping of its thousands. */
function tracesOn(part: HTMLElement): readonly string[] {
  const texts = [...part.querySelectorAll<HTMLElement>('*')].flatMap((element) => [
    ...[...element.childNodes].flatMap((node) => (node.nodeType === Node.TEXT_NODE ? [node.textContent ?? ''] : [])),
    ...[...element.attributes].map(({ value }) => value),
    ...(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? [element.value] : []),
  ])
  return texts.filter((text) => text.replaceAll(/[.,\s]/g, '').includes(mark))
}
