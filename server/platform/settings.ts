import { createECDH, hash } from 'node:crypto'
import { isIP } from 'node:net'
import { fromBase64 } from '#domain/book/bytes.ts'
import { COSIGNATURE, parseVkey, type VerifierKey } from '#domain/book/note.ts'
import { parseDatabaseAddress } from './database-address.ts'
import { logLevels } from './log.ts'
import type { LogLevel } from './log.ts'
import { parseRedisAddress } from './redis-address.ts'

interface Setting<Key extends string, Value, Default extends string | null> {
  readonly name: string
  /** The name in Settings. */
  readonly key: Key
  /** The value where the variable is not set; null where that is the default. */
  readonly default: Default
  readonly allowed: string
  readonly meaning: string
  /** Null when the text is not allowed. */
  readonly read: (text: string) => Value | null
}

const setting = <const Key extends string, Value, Default extends string | null>(
  row: Setting<Key, Value, Default>,
): Setting<Key, Value, Default> => row

const wholeNumber = (least: number, most: number) => (text: string) =>
  /^\d{1,15}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : null

const matching = (pattern: RegExp) => (text: string) => (pattern.test(text) ? text : null)

const oneOf =
  <const Word extends string>(...words: readonly Word[]) =>
  (text: string): Word | null =>
    words.find((word) => word === text) ?? null

const yesOrNo = (text: string): boolean | null => (text === 'yes' ? true : text === 'no' ? false : null)

/** A text for people: one line without control characters. */
const line = (most: number) => (text: string) => (text.length <= most && !/\p{Cc}/u.test(text) ? text : null)

const urlWith =
  (...protocols: readonly string[]) =>
  (text: string): string | null => {
    if (!URL.canParse(text)) return null
    const url = new URL(text)
    return protocols.includes(url.protocol) && url.hostname !== '' ? text : null
  }

/** A base URL to which paths are appended. */
const httpBase = (text: string): string | null => {
  const url = urlWith('http:', 'https:')(text)
  return url === null || /[?#]/.test(url) ? null : url.replace(/\/+$/, '')
}

const origin = (text: string): string | null => {
  const url = urlWith('http:', 'https:')(text)
  return url !== null && new URL(url).origin === url.replace(/\/$/, '') ? new URL(url).origin : null
}

const proxies = (text: string): readonly string[] | null => {
  const parts = text.split(',').map((part) => part.trim())
  const isAllowed = parts.every((part) => {
    const [address = '', bits, ...rest] = part.split('/')
    const most = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : -1
    return rest.length === 0 && most > 0 && (bits === undefined || wholeNumber(0, most)(bits) !== null)
  })
  return isAllowed ? parts : null
}

/** A witness of the open book (c2sp.org/tlog-witness). */
export interface WitnessSetting {
  /** Of type 0x04. */
  readonly key: VerifierKey
  /** Where it takes checkpoints, without a slash at the end. */
  readonly url: string
}

const witnesses = (text: string): readonly WitnessSetting[] | null => {
  const list = text.split(',').map((part) => {
    const [, vkey = '', address = ''] = /^\s*([^@\s]+)@(\S+)\s*$/.exec(part) ?? []
    const key = parseVkey((bytes) => hash('sha256', bytes, 'buffer'), vkey)
    const url = httpBase(address)
    return key?.type === COSIGNATURE && url !== null ? { key, url } : null
  })
  const found = list.filter((witness) => witness !== null)
  return found.length === list.length ? found : null
}

/** A private key of P-256 in base64url: any 32 bytes that are a number from 1 to below the curve's order. */
const privateKey = (text: string): string | null => {
  if (!/^[\w-]{43}$/.test(text)) return null
  try {
    createECDH('prime256v1').setPrivateKey(text, 'base64url')
    return text
  } catch {
    return null
  }
}

/** Every setting. docs/operations.md has the same table, and a test compares the two. */
export const settingsTable = [
  setting({
    name: 'PORT',
    key: 'port',
    default: '3000',
    allowed: 'a whole number from 0 to 65535; 0 takes any free port',
    meaning: 'Port of the web and the API',
    read: wholeNumber(0, 65_535),
  }),
  setting({
    name: 'HOST',
    key: 'host',
    default: '127.0.0.1',
    allowed: 'an IP address or a host name',
    meaning: 'Address to listen on; 0.0.0.0 is every one of this machine',
    read: (text) => (isIP(text) > 0 || /^[A-Za-z0-9]([A-Za-z0-9.-]{0,252})$/.test(text) ? text : null),
  }),
  setting({
    name: 'DATA_DIR',
    key: 'dataDir',
    default: './data',
    allowed: 'a path',
    meaning: 'Folder of the embedded database, uploads and keys',
    read: line(1_000),
  }),
  setting({
    name: 'DATABASE_URL',
    key: 'databaseUrl',
    default: null,
    allowed: 'postgres://user:password@host:port/database, or several host:port with commas between them',
    meaning: 'PostgreSQL to use instead of the embedded database',
    read: (text) => (parseDatabaseAddress(text) === null ? null : text),
  }),
  setting({
    name: 'REDIS_URL',
    key: 'redisUrl',
    default: null,
    allowed:
      'redis://…, redis+sentinel://host:port,host:port/master or redis+cluster://host:port,host:port; rediss with TLS',
    meaning: 'Redis through which several processes share sockets and limits',
    read: (text) => (parseRedisAddress(text) === null ? null : text),
  }),
  setting({
    name: 'ADMIN_USERNAME',
    key: 'adminUsername',
    default: 'admin',
    allowed: '3 to 32 ASCII letters and digits',
    meaning: 'Name of the first administrator, made on the first start',
    read: matching(/^[A-Za-z0-9]{3,32}$/),
  }),
  setting({
    name: 'ADMIN_PASSWORD',
    key: 'adminPassword',
    default: null,
    allowed: '6 to 128 characters',
    meaning: 'Password of the first administrator; a random one is printed once where none is set',
    read: (text) => (text.length >= 6 ? line(128)(text) : null),
  }),
  setting({
    name: 'REFERRAL_CODE',
    key: 'referralCode',
    default: 'KIMPHIEN',
    allowed: '1 to 64 letters, digits, - and _',
    meaning: 'Code that a newcomer has to enter',
    read: matching(/^[A-Za-z0-9_-]{1,64}$/),
  }),
  setting({
    name: 'WELCOME_POINTS',
    key: 'welcomePoints',
    default: '1000',
    allowed: 'a whole number from 0 to 1000000000',
    meaning: 'Points that a new player gets, and that a refill fills up to',
    read: wholeNumber(0, 1_000_000_000),
  }),
  setting({
    name: 'FOUR_EYES_FROM',
    key: 'fourEyesFrom',
    default: '10000000',
    allowed: 'a whole number from 1 to 1000000000000, or off',
    meaning: 'Points of a player that staff move in 24 hours, from which on a second admin has to confirm',
    read: (text) => (text === 'off' ? 'off' : wholeNumber(1, 1_000_000_000_000)(text)),
  }),
  setting({
    name: 'GOLD_FEED',
    key: 'goldFeed',
    default: 'auto',
    allowed: 'auto, simulated, pyth or swissquote',
    meaning: 'Source of the gold price; auto is pyth where PYTH_API_KEY is set, else simulated',
    read: oneOf('auto', 'simulated', 'pyth', 'swissquote'),
  }),
  setting({
    name: 'PYTH_URL',
    key: 'pythUrl',
    default: 'https://hermes.pyth.network',
    allowed: 'http://… or https://… without a query',
    meaning: 'Where the pyth feed is read',
    read: httpBase,
  }),
  setting({
    name: 'PYTH_API_KEY',
    key: 'pythApiKey',
    default: null,
    allowed: 'up to 500 visible ASCII characters',
    meaning: 'Key of the pyth feed',
    read: matching(/^[\x21-\x7e]{1,500}$/),
  }),
  setting({
    name: 'SWISSQUOTE_URL',
    key: 'swissquoteUrl',
    default: 'https://forex-data-feed.swissquote.com',
    allowed: 'http://… or https://… without a query',
    meaning: 'Where the swissquote feed is read',
    read: httpBase,
  }),
  setting({
    name: 'COINGECKO_URL',
    key: 'coingeckoUrl',
    default: 'https://api.coingecko.com',
    allowed: 'http://… or https://… without a query',
    meaning: 'Where the list of coins is read',
    read: httpBase,
  }),
  setting({
    name: 'SUPPORT_CONTACT',
    key: 'supportContact',
    default: 'quản trị viên',
    allowed: 'up to 200 characters on one line',
    meaning: 'Whom to turn to without being able to sign in; shown to everybody',
    read: line(200),
  }),
  setting({
    name: 'TEAM_NAME',
    key: 'teamName',
    default: 'Kim Phiên',
    allowed: 'up to 60 characters on one line',
    meaning: 'Name at the top of the back office',
    read: line(60),
  }),
  setting({
    name: 'DEMO_DATA',
    key: 'isDemo',
    default: 'no',
    allowed: 'yes or no',
    meaning: 'Has every page say that its data are made up; npm run demo sets it',
    read: yesOrNo,
  }),
  setting({
    name: 'TRUST_PROXY',
    key: 'trustProxy',
    default: null,
    allowed: 'IP addresses or networks such as 10.0.0.0/8, with commas between them',
    meaning: 'Proxies whose X-Forwarded-For and traceparent count; nobody’s where none is set',
    read: proxies,
  }),
  setting({
    name: 'DRAIN_SECONDS',
    key: 'drainSeconds',
    default: '0',
    allowed: 'a whole number from 0 to 10',
    meaning: 'How long a process that is to end goes on serving; behind a proxy longer than it takes to notice',
    read: wholeNumber(0, 10),
  }),
  setting({
    name: 'LOG_LEVEL',
    key: 'logLevel',
    default: 'info',
    allowed: logLevels.join(', '),
    meaning: 'The least important events that are logged',
    read: oneOf<LogLevel>(...logLevels),
  }),
  setting({
    name: 'RATE_LIMIT_FACTOR',
    key: 'rateLimitFactor',
    default: '1',
    allowed: 'a number from 0.01 to 1000000',
    meaning: 'Multiplies the request limits; never the one on an account’s passwords',
    read: (text) =>
      /^\d{1,7}(\.\d{1,2})?$/.test(text) && Number(text) >= 0.01 && Number(text) <= 1_000_000 ? Number(text) : null,
  }),
  setting({
    name: 'METRICS_TOKEN',
    key: 'metricsToken',
    default: null,
    allowed: '16 to 200 visible ASCII characters',
    meaning: 'Bearer token of /metrics; where none is set only this machine may read it',
    read: matching(/^[\x21-\x7e]{16,200}$/),
  }),
  setting({
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    key: 'otlpEndpoint',
    default: null,
    allowed: 'http://… or https://… without a query',
    meaning: 'Collector that takes traces and metrics by OTLP; without it nothing is sent',
    read: httpBase,
  }),
  setting({
    name: 'OTEL_TRACES_SAMPLER_ARG',
    key: 'tracedShare',
    default: '1',
    allowed: 'a number from 0 to 1',
    meaning: 'Share of the requests that are traced, where no trusted proxy has decided it',
    read: (text) => (/^(0|1|[01]?\.\d{1,9})$/.test(text) && Number(text) <= 1 ? Number(text) : null),
  }),
  setting({
    name: 'PUBLIC_ORIGIN',
    key: 'publicOrigin',
    default: null,
    allowed: 'the origin of the web as browsers see it, such as https://kim.example',
    meaning: 'Passkeys belong to it; without it none are offered',
    read: origin,
  }),
  setting({
    name: 'STAFF_SECOND_FACTOR',
    key: 'staffSecondFactor',
    default: 'optional',
    allowed: 'off, optional or required',
    meaning: 'Whether admins have to prove a second factor: nobody, whoever has added one, or everybody',
    read: oneOf('off', 'optional', 'required'),
  }),
  setting({
    name: 'AUDIT_KEY',
    key: 'auditKey',
    default: null,
    allowed: '32 to 200 visible ASCII characters',
    meaning: 'Key that signs the audit log; made in DATA_DIR where none is set',
    read: matching(/^[\x21-\x7e]{32,200}$/),
  }),
  setting({
    name: 'LOG_KEY',
    key: 'logKey',
    default: null,
    allowed: '32 bytes in base64',
    meaning: 'Key that signs the open book; made from AUDIT_KEY, or in DATA_DIR, where none is set',
    read: (text) => (fromBase64(text)?.length === 32 ? text : null),
  }),
  setting({
    name: 'BACKUP_EVERY',
    key: 'backupEvery',
    default: 'off',
    allowed: 'a whole number from 1 to 10080, or off',
    meaning: 'Minutes after which the embedded database is backed up again; the 14 newest are kept',
    read: (text) => (text === 'off' ? 'off' : wholeNumber(1, 10_080)(text)),
  }),
  setting({
    name: 'BACKUP_DIR',
    key: 'backupDir',
    default: null,
    allowed: 'a path',
    meaning: 'Folder of the backups, best on another disk; backups in DATA_DIR where none is set',
    read: line(1_000),
  }),
  setting({
    name: 'BACKUP_KEY',
    key: 'backupKey',
    default: null,
    allowed: '32 bytes in base64',
    meaning: 'Key that seals backups; made in DATA_DIR where none is set',
    read: (text) => (fromBase64(text)?.length === 32 ? text : null),
  }),
  setting({
    name: 'LOG_ORIGIN',
    key: 'logOrigin',
    default: null,
    allowed: '1 to 100 letters, digits, ., -, _ and /, the first a letter or a digit',
    meaning: 'Name of the open book’s first log; kim-phien/ and 8 digits of its key where none is set',
    read: matching(/^[A-Za-z0-9][\w./-]{0,99}$/),
  }),
  setting({
    name: 'LOG_WITNESSES',
    key: 'logWitnesses',
    default: null,
    allowed: 'vkey@https://…, several separated by commas',
    meaning: 'Witnesses that are asked every 10 s to sign the open book’s newest note',
    read: witnesses,
  }),
  setting({
    name: 'VAPID_PRIVATE_KEY',
    key: 'vapidPrivateKey',
    default: null,
    allowed: '32 bytes in base64url: 43 letters, digits, - and _',
    meaning: 'Key that push services know this server by; made in the database where none is set',
    read: privateKey,
  }),
  setting({
    name: 'VAPID_SUBJECT',
    key: 'vapidSubject',
    default: null,
    allowed: 'mailto:… or https://…',
    meaning: 'Address for push services; SUPPORT_CONTACT where that is one and none is set',
    read: (text) => (/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(text) && URL.canParse(text) ? text : null),
  }),
  setting({
    name: 'S3_BUCKET',
    key: 's3Bucket',
    default: null,
    allowed: '3 to 63 lower-case letters, digits, . and -',
    meaning: 'Bucket for uploads instead of the folder uploads in DATA_DIR; several machines need one',
    read: matching(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/),
  }),
  setting({
    name: 'S3_REGION',
    key: 's3Region',
    default: 'us-east-1',
    allowed: 'up to 40 lower-case letters, digits and -',
    meaning: 'Region of the bucket',
    read: matching(/^[a-z0-9-]{1,40}$/),
  }),
  setting({
    name: 'S3_ENDPOINT',
    key: 's3Endpoint',
    default: null,
    allowed: 'http://… or https://… without a query',
    meaning: 'Where the bucket is, if it is not Amazon’s',
    read: httpBase,
  }),
  setting({
    name: 'S3_ACCESS_KEY_ID',
    key: 's3AccessKeyId',
    default: null,
    allowed: '1 to 200 visible ASCII characters',
    meaning: 'Name of the key that may write the bucket; the machine’s own role where none is set',
    read: matching(/^[\x21-\x7e]{1,200}$/),
  }),
  setting({
    name: 'S3_SECRET_ACCESS_KEY',
    key: 's3SecretAccessKey',
    default: null,
    allowed: '1 to 200 visible ASCII characters',
    meaning: 'Secret of that key',
    read: matching(/^[\x21-\x7e]{1,200}$/),
  }),
] as const

/** A setting without a default is null where it is not set. */
export type Settings = {
  readonly [Row in (typeof settingsTable)[number] as Row['key']]:
    | NonNullable<ReturnType<Row['read']>>
    | Extract<Row['default'], null>
}

/**
 * Reads the settings from an environment; an empty value counts as not set. `problems` has one line for each wrong
 * value. The line names the setting and the allowed values, never the value, which may be a secret.
 */
export function readSettings(
  env: Readonly<Record<string, string | undefined>>,
): Settings | { readonly problems: string[] } {
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  for (const row of settingsTable) {
    const text = env[row.name] || row.default
    const value = text === null ? null : row.read(text)
    if (text !== null && value === null)
      problems.push(`${row.name}: the value is not allowed; allowed is ${row.allowed}`)
    values[row.key] = value
  }
  return problems.length > 0 ? { problems } : (values as Settings)
}

/** How many letters have to be changed, added or left out to make one word of the other. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [at, letter] of Array.from(one).entries()) {
    const next = [at + 1]
    for (const [index, its] of Array.from(other).entries())
      next.push(
        Math.min((row[index] ?? 0) + (letter === its ? 0 : 1), (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1),
      )
    row = next
  }
  return row.at(-1) ?? 0
}

/** Names of an environment that look like a setting, and are none. Short ones look like too many others. */
export function misspelledSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  const names = settingsTable.map(({ name }) => name)
  return Object.keys(env).flatMap((name) => {
    if (names.some((known) => known === name) || name.length < 7) return []
    const meant = names.find((known) => known.length >= 7 && editsBetween(name.toUpperCase(), known) <= 2)
    return meant === undefined ? [] : [`${name} is no setting; is it ${meant}?`]
  })
}

/** The settings of this process, null when one is wrong, and a line for each that is wrong or misspelled. */
export function judgeProcessSettings(): { readonly settings: Settings | null; readonly problems: readonly string[] } {
  const read = readSettings(process.env)
  const misspelled = misspelledSettings(process.env)
  return 'problems' in read
    ? { settings: null, problems: [...read.problems, ...misspelled] }
    : { settings: read, problems: misspelled }
}

/** The settings of this process. Wrong settings are reported on standard error, and the process exits with 1. */
export function readProcessSettings(): Settings {
  const settings = readSettings(process.env)
  if (!('problems' in settings)) return settings
  process.stderr.write(settings.problems.map((problem) => `${problem}\n`).join(''))
  process.exit(1)
}
