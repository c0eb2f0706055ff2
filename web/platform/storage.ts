/**
 * The one place that names a local storage key (spec §4, §6, §9).
 *
 * Storage may be blocked (private windows, a policy), full, or hold what another version wrote. Reading then gives the
 * empty answer and writing is remembered for this page only: the product works on, it merely forgets at the next reload.
 */

/** Every key, ours and the spec's. */
const keys = {
  accessToken: 'access_token',
  deviceSecret: 'device_secret',
  signedInAt: 'signed_in_at',
  theme: 'theme',
  selectedGameType: 'selected_game_type',
  shownBetIds: 'shown_bet_ids',
  playTime: 'play_time',
  tableSettings: 'table_settings',
  chatSound: 'chat_sound',
  resultSound: 'result_sound',
  resultVibration: 'result_vibration',
  rulesRead: 'rules_read',
} as const

/** How many shown bet ids are kept. A player sees one popup at a time, so old ids are never asked for again. */
const maxShownBetIds = 200

export type ThemeChoice = 'light' | 'dark' | 'system'

type KeyValueStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear'>

/** What this page wrote while the browser refused to keep it. */
const memory = new Map<string, string>()

/** The browser's store, or undefined where even touching it throws. */
function browserStore(): KeyValueStore | undefined {
  try {
    return globalThis.localStorage
  } catch {
    return undefined
  }
}

function read(key: string): string | null {
  try {
    return memory.get(key) ?? browserStore()?.getItem(key) ?? null
  } catch {
    return memory.get(key) ?? null
  }
}

function write(key: string, value: string): void {
  try {
    const store = browserStore()
    if (store === undefined) throw new Error('no store')
    store.setItem(key, value)
    memory.delete(key)
  } catch {
    memory.set(key, value)
  }
}

function remove(key: string): void {
  memory.delete(key)
  try {
    browserStore()?.removeItem(key)
  } catch {
    // Nothing is kept where nothing can be removed.
  }
}

/** The bearer token of spec §6, or null when nobody is signed in. Read at call time, never cached. */
export function readAccessToken(): string | null {
  return read(keys.accessToken) || null
}

export function writeAccessToken(token: string): void {
  write(keys.accessToken, token)
}

/**
 * What the server gave this browser at a sign-in, to be sent with the next one; null where there was none. It is a random
 * value that opens nothing and names nobody: with it others' wrong passwords leave this browser room to sign in (rules §4).
 * One serves everybody who uses the browser.
 */
export function readDeviceSecret(): string | null {
  return read(keys.deviceSecret) || null
}

export function writeDeviceSecret(secret: string): void {
  write(keys.deviceSecret, secret)
}

/** The session is over: the token goes, the visitor's own settings stay. Logging out takes everything (`clearStorage`). */
export function removeAccessToken(): void {
  remove(keys.accessToken)
  remove(keys.signedInAt)
}

/**
 * When this browser signed in, by this device's own clock (ms since the epoch): bets settled before it count as shown
 * (rules §2). Null when unknown.
 */
export function readSignedInAtMs(): number | null {
  const stored = Number(read(keys.signedInAt) ?? Number.NaN)
  return Number.isFinite(stored) ? stored : null
}

export function writeSignedInAtMs(deviceMs: number): void {
  write(keys.signedInAt, String(deviceMs))
}

/** The colours the visitor chose; `system` follows the device and is what an unknown value means. */
export function readThemeChoice(): ThemeChoice {
  const stored = read(keys.theme)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

export function writeThemeChoice(choice: ThemeChoice): void {
  if (choice === 'system') remove(keys.theme)
  else write(keys.theme, choice)
}

/** The game type last selected (spec §4), as its wire name such as `30s`; the caller checks that it still exists. */
export function readSelectedGameType(): string | null {
  return read(keys.selectedGameType)
}

export function writeSelectedGameType(type: string): void {
  write(keys.selectedGameType, type)
}

/** Ids of the bets whose result popup has opened (spec §4), oldest first. */
export function readShownBetIds(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(read(keys.shownBetIds) ?? '[]')
    return Array.isArray(stored) ? stored.filter((id): id is string => typeof id === 'string') : []
  } catch {
    return []
  }
}

/** Remembers that these bets' popups need not open any more. The newest 200 ids are kept. */
export function addShownBetIds(ids: readonly string[]): void {
  const kept = new Set(readShownBetIds())
  for (const id of ids) {
    kept.delete(id)
    kept.add(id)
  }
  write(keys.shownBetIds, JSON.stringify([...kept].slice(-maxShownBetIds)))
}

/** How long this sign-in has been looked at, and how much of it the last reminder had seen (rules §6). */
export type PlayTime = {
  /** Which sign-in; another one begins at nothing. */
  readonly signedInAtMs: number
  readonly visibleMs: number
  readonly remindedAtMs: number
}

/** The play time of the sign-in in use; nothing of an earlier one. */
export function readPlayTime(): PlayTime {
  const signedInAtMs = readSignedInAtMs() ?? 0
  const fresh = { signedInAtMs, visibleMs: 0, remindedAtMs: 0 }
  try {
    const stored = JSON.parse(read(keys.playTime) ?? 'null') as Partial<Record<keyof PlayTime, unknown>> | null
    const { visibleMs, remindedAtMs } = stored ?? {}
    const isOurs = stored?.signedInAtMs === signedInAtMs
    return isOurs && isDuration(visibleMs) && isDuration(remindedAtMs)
      ? { signedInAtMs, visibleMs, remindedAtMs }
      : fresh
  } catch {
    return fresh
  }
}

const isDuration = (stored: unknown): stored is number => typeof stored === 'number' && stored >= 0

export function writePlayTime(playTime: PlayTime): void {
  write(keys.playTime, JSON.stringify(playTime))
}

/** What was kept about the back office's lists, as it was written; null when nothing readable is there. */
export function readTableSettings(): unknown {
  try {
    return JSON.parse(read(keys.tableSettings) ?? 'null')
  } catch {
    return null
  }
}

export function writeTableSettings(settings: unknown): void {
  write(keys.tableSettings, JSON.stringify(settings))
}

/** Whether a message makes a sound; silent until somebody wants it. */
export function readChatSound(): boolean {
  return read(keys.chatSound) === 'on'
}

export function writeChatSound(isOn: boolean): void {
  if (isOn) write(keys.chatSound, 'on')
  else remove(keys.chatSound)
}

/** How a result may be felt besides being shown; both are off until somebody wants them. */
export type ResultSignal = 'sound' | 'vibration'

const signalKeys: Readonly<Record<ResultSignal, string>> = { sound: keys.resultSound, vibration: keys.resultVibration }

export function readResultSignal(signal: ResultSignal): boolean {
  return read(signalKeys[signal]) === 'on'
}

export function writeResultSignal(signal: ResultSignal, isOn: boolean): void {
  if (isOn) write(signalKeys[signal], 'on')
  else remove(signalKeys[signal])
}

/** Whether the game's rules were read in this browser. */
export function readRulesRead(): boolean {
  return read(keys.rulesRead) === 'yes'
}

export function writeRulesRead(): void {
  write(keys.rulesRead, 'yes')
}

/** Logout (spec §2, Account info): everything kept in this browser goes, but for what says of nobody that they were here. */
export function clearStorage(): void {
  const deviceSecret = readDeviceSecret()
  memory.clear()
  try {
    browserStore()?.clear()
  } catch {
    // Blocked storage holds nothing of ours.
  }
  if (deviceSecret !== null) writeDeviceSecret(deviceSecret)
}

/**
 * Calls back when another tab signs in or out, so that a tab never goes on under an account that has left.
 * Returns the function that stops listening.
 */
export function onAccessTokenChangedElsewhere(listener: () => void): () => void {
  const handle = (event: StorageEvent) => {
    // A key of null is the other tab's clear().
    if (event.key === keys.accessToken || event.key === null) listener()
  }
  globalThis.addEventListener('storage', handle)
  return () => globalThis.removeEventListener('storage', handle)
}
