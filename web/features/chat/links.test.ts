import { describe, expect, test } from 'vitest'
import { isOwnAddress, linkify } from './linked-text.tsx'

const links = (text: string) => linkify(text).flatMap(({ text: shown, href }) => (href === undefined ? [] : [shown]))

describe('links in a text', () => {
  test.each([
    ['xem https://kim.vn nhé', ['https://kim.vn']],
    ['HTTP://Kim.vn/A?b=c#d và https://x.vn/a', ['HTTP://Kim.vn/A?b=c#d', 'https://x.vn/a']],
    ['Ở đây: https://kim.vn/a.', ['https://kim.vn/a']],
    ['(https://kim.vn/a)', ['https://kim.vn/a']],
    ['https://vi.wikipedia.org/wiki/Kim_(họ), đọc đi', ['https://vi.wikipedia.org/wiki/Kim_(họ)']],
    ['https://kim.vn/a?!…', ['https://kim.vn/a']],
    ['“https://kim.vn/a”', ['https://kim.vn/a']],
    ['https://kim.vn\nhttps://kim.vn/b', ['https://kim.vn', 'https://kim.vn/b']],
    ['javascript:alert(1)', []],
    ['data:text/html,a', []],
    ['ftp://kim.vn mailto:a@kim.vn //kim.vn www.kim.vn kim.vn', []],
    ['xhttps://kim.vn', []],
    ['https:// và http://.', []],
    ['<https://kim.vn/"onclick=a>', ['https://kim.vn/']],
    // What turns the direction of reading would show another host than the one that is opened.
    ['https://kim.vn/\u202egnp.exe', ['https://kim.vn/']],
  ])('%s', (text, expected) => {
    expect(links(text)).toEqual(expected)
    expect(linkify(text).map((part) => part.text)).toEqual(expect.arrayContaining(expected))
    expect(
      linkify(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text)
  })

  test('have the address that the browser opens, so that no look-alike of a host hides it', () => {
    expect(linkify('https://kimphiền.vn/a')[0]?.href).toBe('https://xn--kimphin-qu4c.vn/a')
    expect(linkify('https://kim.vn@ac.vn/')[0]?.href).toBe('https://kim.vn@ac.vn/')
  })

  test('of the product itself are known by scheme, host and port', () => {
    expect(isOwnAddress('https://kim.vn/vong/1', 'https://kim.vn')).toBe(true)
    expect(isOwnAddress('http://kim.vn/', 'https://kim.vn')).toBe(false)
    expect(isOwnAddress('https://kim.vn@ac.vn/', 'https://kim.vn')).toBe(false)
    expect(isOwnAddress('https://kim.vn:8443/', 'https://kim.vn')).toBe(false)
  })
})
