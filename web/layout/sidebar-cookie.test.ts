import { afterEach, describe, expect, test, vi } from 'vitest'
import { keepSidebarState, parseSidebarCookie, readSidebarState, sidebarCookie } from './sidebar-cookie.ts'

afterEach(() => vi.unstubAllGlobals())

describe('the sidebar’s cookie', () => {
  test('is kept for 7 days, for this site alone', () => {
    expect(sidebarCookie(true)).toBe('sidebar_state=true; path=/; max-age=604800; SameSite=Lax')
    expect(sidebarCookie(false)).toContain('sidebar_state=false;')
  })

  test.each([
    ['sidebar_state=true', true],
    ['a=1; sidebar_state=false; b=2', false],
    ['sidebar_state= true ', true],
    ['', null],
    ['a=sidebar_state=true', null],
    ['xsidebar_state=true', null],
    ['sidebar_state=yes', null],
  ])('%j reads %s', (cookies, isOpen) => expect(parseSidebarCookie(cookies)).toBe(isOpen))

  test('is written and read back', () => {
    vi.stubGlobal('document', { cookie: '' })
    expect(readSidebarState()).toBeNull()
    keepSidebarState(false)
    expect(readSidebarState()).toBe(false)
  })

  test('does not crash where cookies are blocked', () => {
    vi.stubGlobal('document', {
      get cookie(): string {
        throw new DOMException('blocked', 'SecurityError')
      },
      set cookie(_: string) {
        throw new DOMException('blocked', 'SecurityError')
      },
    })
    expect(() => keepSidebarState(true)).not.toThrow()
    expect(readSidebarState()).toBeNull()
  })
})
