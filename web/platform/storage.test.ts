import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  addShownBetIds,
  clearStorage,
  endStoredSession,
  isSessionOver,
  readAccessToken,
  readChartViewPin,
  readDeviceSecret,
  readOwner,
  readResultSignal,
  readRulesRead,
  readSelectedGameType,
  readShownBetIds,
  readThemeChoice,
  removeUsersKeys,
  startAnew,
  storageKeys,
  writeAccessToken,
  writeChartViewPin,
  writeDeviceSecret,
  writeOwner,
  writeResultSignal,
  writeRulesRead,
  writeSelectedGameType,
  writeThemeChoice,
} from './storage.ts'
import { keptStore } from '#web/testing/kept-store.ts'

let store: ReturnType<typeof keptStore>

beforeEach(() => {
  startAnew()
  store = keptStore()
  vi.stubGlobal('localStorage', store)
})

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('stored values', () => {
  test('the token is stored under the key of spec §6', () => {
    expect(readAccessToken()).toBeNull()
    writeAccessToken('abc')
    expect(store.kept.get('access_token')).toBe('abc')
    expect(readAccessToken()).toBe('abc')
  })

  test('by default a result makes no sound and no vibration, and the rules are unread', () => {
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

  test('the chart chooses its view unless one was pinned', () => {
    expect(readChartViewPin()).toBeNull()
    writeChartViewPin('1m')
    expect(readChartViewPin()).toBe('1m')
    writeChartViewPin(null)
    expect(store.kept.has(storageKeys.chartView.name)).toBe(false)
    store.kept.set(storageKeys.chartView.name, 'something else')
    expect(readChartViewPin()).toBeNull()
  })

  test('an empty token counts as no token', () => {
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

  test('each shown bet is stored once, the newest 200', () => {
    addShownBetIds(['a', 'b'])
    addShownBetIds(['a', 'c'])
    expect(readShownBetIds()).toEqual(['b', 'a', 'c'])
    addShownBetIds(Array.from({ length: 200 }, (_, at) => `bet-${at}`))
    expect(readShownBetIds()).toHaveLength(200)
    expect(readShownBetIds()).not.toContain('a')
  })

  test.each(['not json', '{"a":1}', '[1, null, "x"]'])('broken shown bets (%s) do not crash', (text) => {
    store.kept.set('shown_bet_ids', text)
    expect(readShownBetIds()).toEqual(text.includes('x') ? ['x'] : [])
  })

  test('the device secret outlives a logout', () => {
    expect(readDeviceSecret()).toBeNull()
    writeAccessToken('abc')
    writeDeviceSecret('random')
    clearStorage()
    expect([...store.kept]).toEqual([['device_secret', 'random']])
    expect(readDeviceSecret()).toBe('random')
  })

  test('logout clears everything but the device’s keys', () => {
    writeAccessToken('abc')
    writeThemeChoice('dark')
    for (const { name } of Object.values(storageKeys)) if (!store.kept.has(name)) store.kept.set(name, '1')
    store.kept.set('of another version', '1')
    clearStorage()
    expect(Object.fromEntries(store.kept)).toEqual({ theme: 'dark', shortcuts_off: '1', device_secret: '1' })
  })
})

describe('the owner of a key', () => {
  test('every key belongs to the session, to a user or, with a reason, to the device', () => {
    const namesOf = (kind: string) =>
      Object.values(storageKeys)
        .filter(({ of }) => of === kind)
        .map(({ name }) => name)
    expect(namesOf('session')).toEqual(['access_token', 'signed_in_at', 'last_known'])
    // A key may join this list only if it says nothing about a person.
    expect(namesOf('device')).toEqual(['theme', 'shortcuts_off', 'device_secret'])
    const names = Object.values(storageKeys).map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  test('a session that the server ended keeps the user’s keys', () => {
    writeAccessToken('of an')
    writeOwner('an')
    addShownBetIds(['bet'])
    endStoredSession()
    expect([...store.kept.keys()].toSorted()).toEqual(['owner', 'shown_bet_ids'])
    startAnew()
    writeAccessToken('of an again')
    expect([readOwner(), readShownBetIds()]).toEqual(['an', ['bet']])
  })

  test('another user’s sign-in deletes them, and keeps the new session', () => {
    writeAccessToken('of an')
    writeOwner('an')
    addShownBetIds(['bet'])
    writeThemeChoice('dark')
    startAnew()
    expect(writeAccessToken('of binh')).toBe('of an')
    removeUsersKeys()
    expect(Object.fromEntries(store.kept)).toEqual({ access_token: 'of binh', theme: 'dark' })
  })

  test('keys without an owner do not become the next user’s', () => {
    store.kept.set('shown_bet_ids', '["bet"]')
    writeAccessToken('of binh')
    expect(readShownBetIds()).toEqual([])
  })
})

describe('a page whose session is over', () => {
  const ends: readonly (readonly [string, () => void])[] = [
    ['it was signed out here', clearStorage],
    ['the server ended it', endStoredSession],
    ['it was signed out in another tab', () => store.kept.clear()],
    ['somebody else signed in in another tab', () => store.kept.set('access_token', 'theirs')],
  ]
  test.each(ends)('%s: it reads no token and writes no key of its user', (_, end) => {
    writeAccessToken('mine')
    expect(isSessionOver()).toBe(false)
    end()
    const left = new Map(store.kept)
    expect([isSessionOver(), readAccessToken()]).toEqual([true, null])
    addShownBetIds(['bet'])
    writeSelectedGameType('60s')
    writeOwner('me')
    expect(store.kept).toEqual(left)
    writeThemeChoice('dark')
    expect(store.kept.get('theme')).toBe('dark')
  })

  test('its end does not delete the token of a user who signed in since', () => {
    writeAccessToken('mine')
    store.kept.set('access_token', 'theirs')
    endStoredSession()
    expect(store.kept.get('access_token')).toBe('theirs')
  })

  test('a page without a session adopts the stored one', () => {
    expect(readAccessToken()).toBeNull()
    store.kept.set('access_token', 'of another tab')
    expect([readAccessToken(), isSessionOver()]).toEqual(['of another tab', false])
  })
})

describe('where the browser refuses', () => {
  test('a store that throws on access: values last until the page is reloaded', () => {
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

  test('a full store: the newest value wins over the stored one', () => {
    store.kept.set('access_token', 'old')
    store.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
    writeAccessToken('new')
    expect(readAccessToken()).toBe('new')
  })
})
