import { act, screen } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, test } from 'vitest'
import { TYPED_TEXTS } from '#domain/testing/typed-texts.ts'
import { type NumberKind, readNumber } from '#domain/typed-number.ts'
import { formatAmount } from '#web/platform/formats.ts'
import { draw } from '#web/testing/render.tsx'
import { numberProblems } from './typed-texts.ts'
import { NumberInput } from './number-input.tsx'

function Example({ kind, first = '' }: { readonly kind: NumberKind; readonly first?: string }) {
  const [value, setValue] = useState(first)
  const read = readNumber(value, kind)
  return (
    <>
      <NumberInput label="Số điểm" kind={kind} value={value} onChange={setValue} />
      <output>{read.ok ? String(read.minor) : read.problem}</output>
    </>
  )
}

async function open(kind: NumberKind, first = '') {
  const { user } = await draw(<Example kind={kind} first={first} />)
  const box = screen.getByRole<HTMLInputElement>('textbox', { name: 'Số điểm' })
  await user.click(box)
  return { user, box, meant: () => screen.getByRole('status').textContent }
}

/** As every amount stands, but for decimals that are zero. */
const shown = (minor: bigint): string =>
  formatAmount(minor)
    .replace(/\.00$/, '')
    .replace(/(\.\d)0$/, '$1')

describe('a number field', () => {
  test.each(['whole', 'cents'] as const)(
    'of %s takes every pasted text as it is meant, or says why not',
    async (kind) => {
      const { user, box, meant } = await open(kind, '1234567')
      for (const [text, whole, cents] of TYPED_TEXTS) {
        const meaning = kind === 'whole' ? whole : cents
        // To paste nothing changes nothing.
        if (text.trim() === '') continue
        box.setSelectionRange(0, box.value.length)
        await user.paste(text)
        expect([text, meant()]).toEqual([text, String(meaning)])
        const problem = typeof meaning === 'bigint' ? undefined : numberProblems[meaning]
        const isRefused = () => problem !== undefined && screen.queryByText(problem) !== null
        expect([text, isRefused()]).toEqual([text, problem !== undefined])
        act(() => box.blur())
        // What can't be read stays to be mended; the rest stands as all amounts do.
        expect([typeof meaning === 'bigint' ? box.value : box.value.replaceAll(',', ''), isRefused()]).toEqual(
          typeof meaning === 'bigint' ? [shown(meaning), false] : [text.trim().replaceAll(',', ''), true],
        )
        act(() => box.focus())
      }
    },
  )

  test.each(['whole', 'cents'] as const)('of %s takes a typed text as a pasted one', async (kind) => {
    const { user, box, meant } = await open(kind)
    for (const text of ['123,456.78', '123.456,78', '1.000.000', '1,000,000', '1000,5', '1.000', '-50', '+5', '1e3']) {
      const [, whole, cents] = TYPED_TEXTS.find(([one]) => one === text) ?? []
      await user.clear(box)
      await user.keyboard(text)
      expect([text, meant()]).toEqual([text, String(kind === 'whole' ? whole : cents)])
    }
  })

  test('groups digits while they are typed, in the middle and where they are removed, too', async () => {
    const { user, box, meant } = await open('whole')
    await user.keyboard('1234567')
    expect(box.value).toBe('1,234,567')
    await user.keyboard('{Backspace}')
    expect(box.value).toBe('123,456')
    box.setSelectionRange(4, 4)
    await user.keyboard('{Backspace}')
    expect([box.value, meant()]).toEqual(['12,456', '1245600'])
    await user.keyboard('9')
    expect([box.value, meant()]).toEqual(['129,456', '12945600'])
    await user.clear(box)
    expect(meant()).toBe('empty')
  })

  test('keeps no letter that no number has, and every sign', async () => {
    const { user, box } = await open('whole')
    await user.keyboard('a12b3 4m567')
    expect(box.value).toBe('1,234,567')
    await user.keyboard('e')
    expect(box.value).toBe('1234567e')
  })

  test('a part pasted into digits is read with them, as one number', async () => {
    const { user, box, meant } = await open('cents', '1234')
    box.setSelectionRange(5, 5)
    await user.paste(',50')
    expect([box.value, meant()]).toEqual(['1,234.5', '123450'])
    box.setSelectionRange(0, 0)
    await user.paste('9,000')
    expect([box.value, meant()]).toEqual(['9,0001,234.5', 'unclear'])
  })

  test('says nothing while somebody is typing, and what is wrong once the field is left', async () => {
    const { user } = await open('whole')
    await user.keyboard('-5')
    expect(screen.queryByText(numberProblems.signed)).toBeNull()
    await user.tab()
    expect(screen.getByText(numberProblems.signed)).toBeTruthy()
  })
})
