/**
 * The one place that names a local storage key (spec §4, §6, §9) and says whose it is.
 *
 * Storage may be blocked (private windows, a policy), full, or hold what another version wrote. Reading then gives the
 * empty answer and writing is remembered for this page only: the product works on, it merely forgets at the next reload.
 */

/**
 * Whose a key is, which decides when it goes (rules §7):
 * `session` goes when the session ends, however that happens;
 * `user` waits for its user after a session that the server ended, and goes at logout or when anybody else signs in;
 * `device` stays, because it says nothing about a person, which `why` has to explain.
 */
type StorageKey =
  | { readonly name: string; readonly of: 'session' | 'user' }
  | { readonly name: string; readonly of: 'device'; readonly why: string }

/** Every key, ours and the spec's. */
export const storageKeys = {
  accessToken: { name: 'access_token', of: 'session' },
  signedInAt: { name: 'signed_in_at', of: 'session' },
  owner: { name: 'owner', of: 'user' },
  selectedGameType: { name: 'selected_game_type', of: 'user' },
  shownBetIds: { name: 'shown_bet_ids', of: 'user' },
  playTime: { name: 'play_time', of: 'user' },
  tableSettings: { name: 'table_settings', of: 'user' },
  chatSound: { name: 'chat_sound', of: 'user' },
  resultSound: { name: 'result_sound', of: 'user' },
  resultVibration: { name: 'result_vibration', of: 'user' },
  rulesRead: { name: 'rules_read', of: 'user' },
  theme: { name: 'theme', of: 'device', why: 'light or dark: chosen for this screen, also before anybody signs in' },
  deviceSecret: {
    name: 'device_secret',
    of: 'device',
    why: 'a random value that opens nothing: room to sign in again',
  },
} as const satisfies Readonly<Record<string, StorageKey>>

const keys = storageKeys

/** How many shown bet ids are kept. A player sees one popup at a time, so old ids are never asked for again. */
const maxShownBetIds = 200

export type ThemeChoice = 'light' | 'dark' | 'system'

type KeyValueStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

/** What this page wrote while the browser refused to keep it. */
const memory = new Map<string, string>()

/** The token this page works with: the first it read or wrote. A page has one session and ends with it. */
let pageToken: string | null = null

/** Set when this page's session ended here: whatever of it still runs must not bring back what was forgotten. */
let hasEnded = false

/** The browser's store, or undefined where even touching it throws. */
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

function remove({ name }: StorageKey): void {
  memory.delete(name)
  try {
    browserStore()?.removeItem(name)
  } catch {
    // Nothing is kept where nothing can be removed.
  }
}

/** Removes every key but those of these kinds; what another version left there is nobody's and goes too. */
function removeAllBut(kinds: ReadonlySet<StorageKey['of']>): void {
  const kept = new Set<string>()
  for (const { name, of } of Object.values<StorageKey>(storageKeys)) if (kinds.has(of)) kept.add(name)
  for (const name of [...memory.keys()]) if (!kept.has(name)) memory.delete(name)
  try {
    const store = browserStore()
    const names = Array.from({ length: store?.length ?? 0 }, (_, at) => store?.key(at) ?? '')
    for (const name of names) if (!kept.has(name)) store?.removeItem(name)
  } catch {
    // Blocked storage holds nothing of ours.
  }
}

/**
 * The bearer token of spec §6, or null when nobody is signed in, or somebody else than when this page began. Read at
 * call time, never cached.
 */
export function readAccessToken(): string | null {
  const stored = read(keys.accessToken) || null
  pageToken ??= stored
  return isSessionOver() ? null : stored
}

/** Whether this page had a session that is not this browser's any more: it ended, or another token stands in its place. */
export function isSessionOver(): boolean {
  return hasEnded || (pageToken !== null && read(keys.accessToken) !== pageToken)
}

/** Somebody has signed in on this page. Answers the token that stood there before, of a session that nobody ended. */
export function writeAccessToken(token: string): string | null {
  const before = read(keys.accessToken) || null
  // Nobody knows whose it was.
  if (read(keys.owner) === null) removeAllBut(new Set(['device']))
  hasEnded = false
  pageToken = null
  write(keys.accessToken, token)
  pageToken = token
  return before === token ? null : before
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

/**
 * The server ended the session: the token goes. What is the user's waits for them, until somebody else signs in.
 */
export function endStoredSession(): void {
  // Another tab may have signed in meanwhile.
  if (!isSessionOver()) {
    remove(keys.accessToken)
    remove(keys.signedInAt)
  }
  hasEnded = true
}

/** Logout (spec §2, Account info): everything kept in local storage goes but what is the device's (rules §7). */
export function clearStorage(): void {
  removeAllBut(new Set(['device']))
  hasEnded = true
}

/** As a page that was just loaded: for tests. */
export function startAnew(): void {
  pageToken = null
  hasEnded = false
  memory.clear()
}

/** Whose the user's keys are; null before the server has said who is signed in. */
export function readOwner(): string | null {
  return read(keys.owner)
}

export function writeOwner(userId: string): void {
  write(keys.owner, userId)
}

/** Somebody else signed in than the time before: what was theirs goes, the session stays. */
export function removeUsersKeys(): void {
  removeAllBut(new Set(['device', 'session']))
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

const signalKeys: Readonly<Record<ResultSignal, StorageKey>> = {
  sound: keys.resultSound,
  vibration: keys.resultVibration,
}

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

/* What a tab keeps: it outlives a reload, and the tab's next page is another user's. */

const tabNotice = 'notice'

/** Forgets what the tab keeps: the router's scroll positions, by addresses that may name a request or a search. */
export function clearTabStorage(): void {
  try {
    globalThis.sessionStorage.clear()
  } catch {
    // Blocked storage holds nothing of ours.
  }
}

/** Leaves word for the next page of this tab, which has to say that the session ended. */
export function leaveSessionEndedNotice(): void {
  try {
    globalThis.sessionStorage.setItem(tabNotice, 'session-ended')
  } catch {
    // The sign-in form says enough.
  }
}

/** Whether the page before left word that the session ended. Answered once. */
export function takeSessionEndedNotice(): boolean {
  try {
    const notice = globalThis.sessionStorage.getItem(tabNotice)
    globalThis.sessionStorage.removeItem(tabNotice)
    return notice === 'session-ended'
  } catch {
    return false
  }
}

/** Calls back when another tab signed in or out. */
export function onAccessTokenChangedElsewhere(listener: () => void): void {
  globalThis.addEventListener('storage', ({ key }) => {
    // A key of null is somebody's clear().
    if (key === keys.accessToken.name || key === null) listener()
  })
}
