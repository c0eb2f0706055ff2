import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { AmountText, PriceChange } from './amounts.tsx'
import { CountBadge } from './badge.tsx'
import { Banner } from './banner.tsx'
import { Button, IconButton } from './button.tsx'
import { NumberInput } from './number-input.tsx'
import { SegmentedControl } from './segmented-control.tsx'
import { Select } from './select.tsx'
import { PasswordInput, TextInput } from './text-input.tsx'

/** The accessible attributes in the markup. The browser journeys test behaviour. */

/** The value of an attribute of the first element of that name. */
function attribute(html: string, tag: string, name: string): string | undefined {
  const found = new RegExp(`<${tag}\\b[^>]*`).exec(html)?.[0]
  if (found === undefined) throw new Error(`No <${tag}> in ${html}`)
  return new RegExp(` ${name}="([^"]*)"`).exec(found)?.[1]
}

const nothing = () => undefined

describe('fields', () => {
  test.each([
    ['input', <TextInput key="t" label="Tài khoản" />],
    ['input', <PasswordInput key="p" label="Tài khoản" autoComplete="current-password" />],
    ['input', <NumberInput key="n" label="Tài khoản" value="1000" onChange={nothing} />],
    ['select', <Select key="s" label="Tài khoản" options={[{ value: 'a', label: 'A' }]} />],
  ])('a label names its %s, and no error is announced', (tag, element) => {
    const html = renderToStaticMarkup(element)
    expect(attribute(html, 'label', 'for')).toBe(attribute(html, tag, 'id'))
    expect(attribute(html, tag, 'id')).toBeTruthy()
    expect(html).not.toContain('aria-invalid=')
    expect(html).not.toContain('aria-describedby=')
  })

  test('one line describes the control: its hint, or its error in the same place', () => {
    const said = (error?: string) => {
      const html = renderToStaticMarkup(<TextInput label="Mã" hint="Do bạn bè gửi" error={error} />)
      const id = attribute(html, 'input', 'aria-describedby') ?? ''
      return [
        attribute(html, 'input', 'aria-invalid'),
        id,
        ...[...html.matchAll(/<p [^>]*id="([^"]*)"[^>]*>([^<]*)/g)].flatMap(([, ...found]) => found),
      ]
    }
    const [, id] = said()
    expect(said()).toEqual([undefined, id, id, 'Do bạn bè gửi'])
    expect(said('Mã giới thiệu sai')).toEqual(['true', id, id, 'Mã giới thiệu sai'])
  })

  test('a number is grouped and requests the number pad', () => {
    const html = renderToStaticMarkup(<NumberInput label="Số điểm" value="1234567" onChange={nothing} />)
    expect(attribute(html, 'input', 'value')).toBe('1,234,567')
    expect(attribute(html, 'input', 'inputMode')).toBe('numeric')
  })
})

describe('buttons', () => {
  test('a busy button keeps its label, can keep focus, and is marked as busy', () => {
    const html = renderToStaticMarkup(
      <Button type="submit" isBusy>
        Đăng nhập
      </Button>,
    )
    expect(html).toContain('Đăng nhập')
    expect(html).toContain('Đang xử lý')
    expect(attribute(html, 'button', 'aria-disabled')).toBe('true')
    expect(html).not.toContain(' disabled=""')
  })

  test('a button is no submit button by default, and an icon has a name', () => {
    expect(attribute(renderToStaticMarkup(<Button>A</Button>), 'button', 'type')).toBe('button')
    const icon = renderToStaticMarkup(<IconButton label="Làm mới">x</IconButton>)
    expect(attribute(icon, 'button', 'aria-label')).toBe('Làm mới')
  })
})

test.each([
  [3, 'repeat(3,'],
  [5, 'repeat(5,'],
  [6, 'repeat(3,'],
  [7, 'repeat(4,'],
])('%i boxes of a segmented control stand in %s', (count, columns) => {
  const options = Array.from({ length: count }, (_, at) => ({ value: `${at}`, label: at }))
  const html = renderToStaticMarkup(<SegmentedControl label="Chọn" value="0" onChange={nothing} options={options} />)
  expect(html).toContain(`grid-template-columns:${columns}`)
})

test('a segmented control is one group of radio buttons with its name', () => {
  const html = renderToStaticMarkup(
    <SegmentedControl
      label="Loại phiên"
      value="60s"
      onChange={nothing}
      options={[
        { value: '30s', label: '30s' },
        { value: '60s', label: '60s' },
        { value: '90s', label: '90s', isDisabled: true },
      ]}
    />,
  )
  expect(html).toMatch(/<fieldset[^>]*><legend[^>]*>Loại phiên<\/legend>/)
  const radios = html.match(/<input[^>]*type="radio"[^>]*>/g) ?? []
  expect(radios).toHaveLength(3)
  expect(new Set(radios.map((radio) => / name="([^"]*)"/.exec(radio)?.[1])).size).toBe(1)
  expect(radios.map((radio) => radio.includes('checked'))).toEqual([false, true, false])
  expect(radios.map((radio) => radio.includes('disabled'))).toEqual([false, false, true])
})

describe('numbers', () => {
  test.each([
    [0, ''],
    [-1, ''],
    [7, '7'],
    [99, '99'],
    [100, '99+'],
  ])('a count of %s shows "%s"', (count, shown) => {
    const html = renderToStaticMarkup(<CountBadge count={count} label="việc đang chờ" />)
    expect(/aria-hidden="true">([^<]*)</.exec(html)?.[1] ?? '').toBe(shown)
  })

  test('a count is red only where it is told so', () => {
    expect(renderToStaticMarkup(<CountBadge count={2} label="" />)).not.toContain('bg-down')
    expect(renderToStaticMarkup(<CountBadge count={2} label="" isRed />)).toContain('bg-down')
  })

  test('a price change is shown by arrow, word and colour, never by arrow and sign', () => {
    const up = renderToStaticMarkup(<PriceChange percent={0.1556} />)
    expect(up).toContain('▲')
    expect(up).toContain('tăng')
    expect(up).toContain('text-up')
    expect(up).toContain('0.16%')
    expect(up).not.toContain('+')
    const down = renderToStaticMarkup(<PriceChange percent={-0.63} />)
    expect(down).toContain('▼')
    expect(down).toContain('giảm')
    expect(down).toContain('0.63%')
    expect(down).not.toContain('−')
    const flat = renderToStaticMarkup(<PriceChange percent={-0.0001} />)
    expect(flat).not.toMatch(/[▲▼+−]/)
  })

  test('amounts have the unit and, signed, their colour', () => {
    expect(renderToStaticMarkup(<AmountText amountMinor={123_450n} hasUnit />)).toContain('1,234.50 điểm')
    expect(renderToStaticMarkup(<AmountText amountMinor={-500n} kind="signed" />)).toContain('text-down')
    expect(renderToStaticMarkup(<AmountText amountMinor={0n} kind="signed" />)).not.toMatch(/text-(up|down)/)
  })
})

test('a live banner is announced, a standing one is not', () => {
  expect(renderToStaticMarkup(<Banner tone="warn">x</Banner>)).not.toContain('role=')
  expect(
    renderToStaticMarkup(
      <Banner tone="warn" isLive>
        x
      </Banner>,
    ),
  ).toContain('role="alert"')
  expect(
    renderToStaticMarkup(
      <Banner tone="info" isLive>
        x
      </Banner>,
    ),
  ).toContain('role="status"')
})
