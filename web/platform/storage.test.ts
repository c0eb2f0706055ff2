import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  addShownBetIds,
  clearStorage,
  readAccessToken,
  readDeviceSecret,
  readResultSignal,
  readRulesRead,
  readSelectedGameType,
  readShownBetIds,
  readThemeChoice,
  writeAccessToken,
  writeDeviceSecret,
  writeResultSignal,
  writeRulesRead,
  writeSelectedGameType,
  writeThemeChoice,
} from './storage.ts'

/** The browser's store, as far as the product uses it. */
function makeStore() {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
    clear: () => kept.clear(),
  }
}

let store: ReturnType<typeof makeStore>

beforeEach(() => {
  store = makeStore()
  vi.stubGlobal('localStorage', store)
})

afterEach(() => {
  clearStorage()
  vi.unstubAllGlobals()
})

describe('what is kept', () => {
  test('the token stands under the key of spec §6', () => {
    expect(readAccessToken()).toBeNull()
    writeAccessToken('abc')
    expect(store.kept.get('access_token')).toBe('abc')
    expect(readAccessToken()).toBe('abc')
  })

  test('a result makes no sound and no vibration until each was asked for, and the rules are unread', () => {
    const all = () => [readResultSignal('sound'), readResultSignal('vibration'), readRulesRead()]
    expect(all()).toEqual([false, false, false])
    writeResultSignal('vibration', true)
    expect(all()).toEqual([false, true, false])
    writeResultSignal('sound', true)
    writeResultSignal('vibration', false)
    writeRulesRead()
    expect(all()).toEqual([true, false, true])
    clearStorage()
    expect(all()).toEqual([false, false, false])
  })

  test('an empty token is none', () => {
    store.kept.set('access_token', '')
    expect(readAccessToken()).toBeNull()
  })

  test('the theme follows the device unless one was chosen', () => {
    expect(readThemeChoice()).toBe('system')
    writeThemeChoice('dark')
    expect(readThemeChoice()).toBe('dark')
    writeThemeChoice('system')
    expect(store.kept.has('theme')).toBe(false)
    store.kept.set('theme', 'purple')
    expect(readThemeChoice()).toBe('system')
  })

  test('the selected game type is remembered', () => {
    writeSelectedGameType('60s')
    expect(readSelectedGameType()).toBe('60s')
  })

  test('shown bets are kept once each, the newest 200', () => {
    addShownBetIds(['a', 'b'])
    addShownBetIds(['a', 'c'])
    expect(readShownBetIds()).toEqual(['b', 'a', 'c'])
    addShownBetIds(Array.from({ length: 200 }, (_, at) => `bet-${at}`))
    expect(readShownBetIds()).toHaveLength(200)
    expect(readShownBetIds()).not.toContain('a')
  })

  test.each(['not json', '{"a":1}', '[1, null, "x"]'])('broken shown bets (%s) are no crash', (text) => {
    store.kept.set('shown_bet_ids', text)
    expect(readShownBetIds()).toEqual(text.includes('x') ? ['x'] : [])
  })

  test('the device secret alone outlives a logout', () => {
    expect(readDeviceSecret()).toBeNull()
    writeAccessToken('abc')
    writeDeviceSecret('random')
    clearStorage()
    expect([...store.kept]).toEqual([['device_secret', 'random']])
    expect(readDeviceSecret()).toBe('random')
  })

  test('logout clears everything', () => {
    writeAccessToken('abc')
    writeThemeChoice('dark')
    store.kept.set('of another version', '1')
    clearStorage()
    expect(store.kept.size).toBe(0)
  })
})

describe('where the browser refuses', () => {
  test('a store that throws at a touch: the page remembers until it is reloaded', () => {
    vi.stubGlobal('localStorage', undefined)
    Object.defineProperty(globalThis, 'localStorage', {
      configurable: true,
      get: () => {
        throw new DOMException('blocked', 'SecurityError')
      },
    })
    expect(readAccessToken()).toBeNull()
    writeAccessToken('abc')
    expect(readAccessToken()).toBe('abc')
    clearStorage()
    expect(readAccessToken()).toBeNull()
  })

  test('a full store: the newest value wins over what it still holds', () => {
    store.kept.set('access_token', 'old')
    store.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
    writeAccessToken('new')
    expect(readAccessToken()).toBe('new')
  })
})
