/**
 * Only this file and web/boot/head.ts use localStorage (spec §4.5, §6.2). If storage is blocked or full, a write lasts
 * only as long as this page. For a missing or malformed value, a read returns a default.
 */

/**
 * `of` decides when a key is deleted (rules §7.8):
 * `session`: when the session ends, for any reason;
 * `user`: at logout or when another user signs in; it survives a session that the server ended;
 * `device`: never. The key's value must say nothing about a person, and `why` explains why it does not.
 */
type StorageKey =
  | { readonly name: string; readonly of: 'session' | 'user' }
  | { readonly name: string; readonly of: 'device'; readonly why: string }

export const storageKeys = {
  accessToken: { name: 'access_token', of: 'session' },
  signedInAt: { name: 'signed_in_at', of: 'session' },
  lastKnown: { name: 'last_known', of: 'session' },
  owner: { name: 'owner', of: 'user' },
  selectedGameType: { name: 'selected_game_type', of: 'user' },
  shownBetIds: { name: 'shown_bet_ids', of: 'user' },
  playTime: { name: 'play_time', of: 'user' },
  tableSettings: { name: 'table_settings', of: 'user' },
  staffAlerts: { name: 'staff_alerts', of: 'user' },
  chatSound: { name: 'chat_sound', of: 'user' },
  resultSound: { name: 'result_sound', of: 'user' },
  resultVibration: { name: 'result_vibration', of: 'user' },
  chartView: { name: 'chart_view', of: 'user' },
  rulesRead: { name: 'rules_read', of: 'user' },
  starredCoins: { name: 'starred_coins', of: 'user' },
  theme: { name: 'theme', of: 'device', why: 'light or dark: chosen for this screen, also before anybody signs in' },
  shortcutsOff: { name: 'shortcuts_off', of: 'device', why: 'how this device’s keyboard is used, by whomever' },
  deviceSecret: {
    name: 'device_secret',
    of: 'device',
    why: 'a random value that opens nothing: room to sign in again',
  },
} as const satisfies Readonly<Record<string, StorageKey>>

const keys = storageKeys

const maxShownBetIds = 200

export type ThemeChoice = 'light' | 'dark' | 'system'

type KeyValueStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

const memory = new Map<string, string>()

/** The token that this page read first or wrote last. Once storage has another token or none, the session is over. */
let pageToken: string | null = null

/** True once the server or a logout has ended this page's session. Only keys of the device are written after that. */
let hasEnded = false

function browserStore(): KeyValueStore | undefined {
  try {
    return globalThis.localStorage
  } catch {
    return undefined
  }
}

function read({ name }: StorageKey): string | null {
  try {
    return memory.get(name) ?? browserStore()?.getItem(name) ?? null
  } catch {
    return memory.get(name) ?? null
  }
}

function write(key: StorageKey, value: string): void {
  if (key.of !== 'device' && isSessionOver()) return
  try {
    const store = browserStore()
    if (store === undefined) throw new Error('no store')
    store.setItem(key.name, value)
    memory.delete(key.name)
  } catch {
    memory.set(key.name, value)
  }
}

function writeChoice(key: StorageKey, value: string | null): void {
  if (value === null) remove(key)
  else write(key, value)
}

function remove({ name }: StorageKey): void {
  memory.delete(name)
  try {
    browserStore()?.removeItem(name)
  } catch {
    // Blocked storage contains nothing of ours.
  }
}

/** Removes all keys except those whose `of` is in `kinds`. Unknown keys, such as those of other versions, go too. */
function removeAllBut(kinds: ReadonlySet<StorageKey['of']>): void {
  const kept = new Set<string>()
  for (const { name, of } of Object.values<StorageKey>(storageKeys)) if (kinds.has(of)) kept.add(name)
  for (const name of [...memory.keys()]) if (!kept.has(name)) memory.delete(name)
  try {
    const store = browserStore()
    const names = Array.from({ length: store?.length ?? 0 }, (_, at) => store?.key(at) ?? '')
    for (const name of names) if (!kept.has(name)) store?.removeItem(name)
  } catch {
    // Blocked storage contains nothing of ours.
  }
}

/**
 * Returns the bearer token (spec §6.2). Null if no token is stored, or if this page's session is over: the server ended
 * it, the user signed out, or another tab changed the token.
 */
export function readAccessToken(): string | null {
  const stored = read(keys.accessToken) || null
  pageToken ??= stored
  return isSessionOver() ? null : stored
}

export const isSessionOver = (): boolean => hasEnded || (pageToken !== null && read(keys.accessToken) !== pageToken)

/** Stores the token. Returns the other token that it replaces, whose session may still be open; null if none. */
export function writeAccessToken(token: string): string | null {
  const before = read(keys.accessToken) || null
  // Without an owner it is unknown to whom stored data belongs, so only keys of the device are kept.
  if (read(keys.owner) === null) removeAllBut(new Set(['device']))
  // The last known answers may be of another user, who is signed in in another tab.
  remove(keys.lastKnown)
  hasEnded = false
  pageToken = null
  write(keys.accessToken, token)
  pageToken = token
  return before === token ? null : before
}

/**
 * A random value from the server. It grants no access. With it, this browser has its own quota of failed sign-ins, so
 * that other people's wrong passwords do not lock it out (rules §4.7). All users of a browser share one value.
 */
export const readDeviceSecret = (): string | null => read(keys.deviceSecret) || null
export const writeDeviceSecret = (secret: string): void => write(keys.deviceSecret, secret)

export function endStoredSession(): void {
  // If another tab has signed in meanwhile, the keys belong to that session and stay.
  if (!isSessionOver()) {
    remove(keys.accessToken)
    remove(keys.signedInAt)
    remove(keys.lastKnown)
  }
  hasEnded = true
}

/** Deletes all keys of the session and the user at a logout (spec §2.5, rules §7.8). */
export function clearStorage(): void {
  removeAllBut(new Set(['device']))
  hasEnded = true
}

/** Resets this module between tests. */
export function startAnew(): void {
  pageToken = null
  hasEnded = false
  memory.clear()
}

/** Returns the id of the user to whom the stored data belongs; null until the server has named the signed-in user. */
export const readOwner = (): string | null => read(keys.owner)
export const writeOwner = (userId: string): void => write(keys.owner, userId)

export const removeUsersKeys = (): void => removeAllBut(new Set(['device', 'session']))

/** Returns when the user signed in, in Unix ms by the device's clock; null if unknown. */
export function readSignedInAtMs(): number | null {
  const stored = Number(read(keys.signedInAt) ?? Number.NaN)
  return Number.isFinite(stored) ? stored : null
}

export const writeSignedInAtMs = (deviceMs: number): void => write(keys.signedInAt, String(deviceMs))

export const readLastKnown = (): string | null => read(keys.lastKnown)
export const writeLastKnown = (text: string): void => write(keys.lastKnown, text)

export function readThemeChoice(): ThemeChoice {
  const stored = read(keys.theme)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

export function writeThemeChoice(choice: ThemeChoice): void {
  writeChoice(keys.theme, choice === 'system' ? null : choice)
}

/** Returns the round type chosen last, such as `30s` (spec §4.5). The caller checks that the type exists. */
export const readSelectedGameType = (): string | null => read(keys.selectedGameType)
export const writeSelectedGameType = (type: string): void => write(keys.selectedGameType, type)

/** Returns the ids of the bets whose result popup was shown, oldest first (spec §4.5). */
export const readShownBetIds = (): readonly string[] => readTexts(keys.shownBetIds)

function readJson(key: StorageKey): unknown {
  try {
    return JSON.parse(read(key) ?? 'null')
  } catch {
    return null
  }
}

function readTexts(key: StorageKey): readonly string[] {
  const stored = readJson(key)
  return Array.isArray(stored) ? stored.filter((text): text is string => typeof text === 'string') : []
}

export function addShownBetIds(ids: readonly string[]): void {
  const kept = new Set(readShownBetIds())
  for (const id of ids) {
    kept.delete(id)
    kept.add(id)
  }
  write(keys.shownBetIds, JSON.stringify([...kept].slice(-maxShownBetIds)))
}

/** How long the page has been visible since the sign-in, for the reminder of rules §6.6. */
export type PlayTime = {
  /** Identifies the sign-in. After another sign-in, the play time starts at zero. */
  readonly signedInAtMs: number
  readonly visibleMs: number
  /** The value of `visibleMs` when the user last answered a reminder. */
  readonly remindedAtMs: number
}

export function readPlayTime(): PlayTime {
  const signedInAtMs = readSignedInAtMs() ?? 0
  const stored = readJson(keys.playTime) as Partial<Record<keyof PlayTime, unknown>> | null
  const { visibleMs, remindedAtMs } = stored ?? {}
  const isOurs = stored?.signedInAtMs === signedInAtMs
  return isOurs && isDuration(visibleMs) && isDuration(remindedAtMs)
    ? { signedInAtMs, visibleMs, remindedAtMs }
    : { signedInAtMs, visibleMs: 0, remindedAtMs: 0 }
}

const isDuration = (stored: unknown): stored is number => typeof stored === 'number' && stored >= 0

export const writePlayTime = (playTime: PlayTime): void => write(keys.playTime, JSON.stringify(playTime))

/** Returns the stored object without a check of its fields; an empty object if nothing readable is stored. */
function readFields(key: StorageKey): Record<string, unknown> {
  const stored = readJson(key)
  return typeof stored === 'object' && stored !== null ? { ...stored } : {}
}

export const readTableSettings = () => readFields(keys.tableSettings)
export const writeTableSettings = (settings: object): void => write(keys.tableSettings, JSON.stringify(settings))

export const readStaffAlerts = () => readFields(keys.staffAlerts)
export const writeStaffAlerts = (settings: object): void => write(keys.staffAlerts, JSON.stringify(settings))

export const readChatSound = (): boolean => read(keys.chatSound) === 'on'
export const writeChatSound = (isOn: boolean): void => writeChoice(keys.chatSound, isOn ? 'on' : null)

export type ResultSignal = 'sound' | 'vibration'

const signalKeys: Readonly<Record<ResultSignal, StorageKey>> = {
  sound: keys.resultSound,
  vibration: keys.resultVibration,
}

export const readResultSignal = (signal: ResultSignal): boolean => read(signalKeys[signal]) === 'on'

export function writeResultSignal(signal: ResultSignal, isOn: boolean): void {
  writeChoice(signalKeys[signal], isOn ? 'on' : null)
}

export type ChartView = 'round' | '1m' | '60m'

export function readChartViewPin(): ChartView | null {
  const stored = read(keys.chartView)
  return stored === 'round' || stored === '1m' || stored === '60m' ? stored : null
}

export const writeChartViewPin = (view: ChartView | null): void => writeChoice(keys.chartView, view)

export const areShortcutsOn = (): boolean => read(keys.shortcutsOff) !== 'yes'
export const writeShortcutsOn = (isOn: boolean): void => writeChoice(keys.shortcutsOff, isOn ? null : 'yes')

export const readRulesRead = (): boolean => read(keys.rulesRead) === 'yes'
export const writeRulesRead = (): void => write(keys.rulesRead, 'yes')

export const readStarredCoins = (): readonly string[] => readTexts(keys.starredCoins)
export const writeStarredCoins = (ids: readonly string[]): void => write(keys.starredCoins, JSON.stringify(ids))

export function onAccessTokenChangedElsewhere(listener: () => void): void {
  globalThis.addEventListener('storage', ({ key }) => {
    // `key` is null after the whole storage was cleared.
    if (key === keys.accessToken.name || key === null) listener()
  })
}
