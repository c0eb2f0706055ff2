import { isIP } from 'node:net'
import { parseDatabaseAddress } from '#server/platform/database/database-address.ts'
import { logFormats, logLevels } from './log.ts'
import { parseRedisAddress } from '#server/platform/sockets/redis-address.ts'
import {
  folderPath,
  httpBase,
  key32,
  line,
  matching,
  oneOf,
  readOrigin,
  readPrivateKey,
  readProxies,
  readWitnesses,
  type SettingKind,
  visibleAscii,
  wholeNumber,
  wholeNumberOrOff,
  yesOrNo,
} from './setting-kinds.ts'

interface Setting<Key extends string, Value, Default extends string | null> extends SettingKind<Value> {
  readonly name: string
  readonly key: Key
  readonly default: Default
  readonly meaning: string
}

const setting = <const Key extends string, Value, Default extends string | null>(
  name: string,
  key: Key,
  byDefault: Default,
  rest: SettingKind<Value> & { readonly meaning: string },
): Setting<Key, Value, Default> => ({ name, key, default: byDefault, ...rest })

/** All settings. `npm run settings` writes docs/settings.md from this table, and a test compares the two. */
export const settingsTable = [
  setting('PORT', 'port', '3000', {
    allowed: 'a whole number from 0 to 65535; 0 takes any free port',
    meaning: 'Port of the web and the API',
    read: wholeNumber(0, 65_535).read,
  }),
  setting('HOST', 'host', '127.0.0.1', {
    allowed: 'an IP address or a host name',
    meaning: 'Address to listen on; 0.0.0.0 is every one of this machine',
    read: (text) => (isIP(text) > 0 || /^[A-Za-z0-9]([A-Za-z0-9.-]{0,252})$/.test(text) ? text : null),
  }),
  setting('DATA_DIR', 'dataDir', './data', {
    meaning: 'Folder of the embedded database, uploads and keys',
    ...folderPath,
  }),
  setting('DATABASE_URL', 'databaseUrl', null, {
    allowed: 'postgres://user:password@host:port/database, or several host:port with commas between them',
    meaning: 'PostgreSQL to use instead of the embedded database',
    read: (text) => (parseDatabaseAddress(text) === null ? null : text),
  }),
  setting('REDIS_URL', 'redisUrl', null, {
    allowed:
      'redis://…, redis+sentinel://host:port,host:port/master or redis+cluster://host:port,host:port; rediss with TLS',
    meaning: 'Redis through which several processes share sockets and limits',
    read: (text) => (parseRedisAddress(text) === null ? null : text),
  }),
  setting('ADMIN_USERNAME', 'adminUsername', 'admin', {
    meaning: 'Name of the first administrator, made on the first start',
    ...matching('3 to 32 ASCII letters and digits, not system', /^(?!system$)[a-z0-9]{3,32}$/i),
  }),
  setting('ADMIN_PASSWORD', 'adminPassword', null, {
    allowed: '6 to 128 characters',
    meaning: 'Password of the first administrator; a random one is printed once where none is set',
    read: (text) => (text.length >= 6 ? line(128).read(text) : null),
  }),
  setting('REFERRAL_CODE', 'referralCode', 'KIMPHIEN', {
    meaning: 'Code that a newcomer has to enter',
    ...matching('1 to 64 letters, digits, - and _', /^[A-Za-z0-9_-]{1,64}$/),
  }),
  setting('REFERRAL_REQUIRED', 'referralRequired', 'public', {
    meaning: 'Whether everybody gets the code from /public-config, or the server alone knows it, as a gate',
    ...oneOf('public', 'secret'),
  }),
  setting('WELCOME_POINTS', 'welcomePoints', '1000', {
    meaning: 'Points that a new player gets, and that a refill fills up to',
    ...wholeNumber(0, 1_000_000_000),
  }),
  setting('FOUR_EYES_FROM', 'fourEyesFrom', '10000000', {
    meaning: 'Points moved in 24 hours, for a player or by an admin, from which on two admins have to act',
    ...wholeNumberOrOff(1, 1_000_000_000_000),
  }),
  setting('GOLD_FEED', 'goldFeed', 'auto', {
    meaning: 'Source of the gold price; auto is pyth where PYTH_API_KEY is set, else simulated',
    ...oneOf('auto', 'simulated', 'pyth', 'swissquote'),
  }),
  setting('PYTH_URL', 'pythUrl', 'https://hermes.pyth.network', {
    meaning: 'Where the pyth feed is read',
    ...httpBase,
  }),
  setting('PYTH_API_KEY', 'pythApiKey', null, {
    meaning: 'Key of the pyth feed',
    ...matching('up to 500 visible ASCII characters', /^[\x21-\x7e]{1,500}$/),
  }),
  setting('SWISSQUOTE_URL', 'swissquoteUrl', 'https://forex-data-feed.swissquote.com', {
    meaning: 'Where the swissquote feed is read',
    ...httpBase,
  }),
  setting('COINGECKO_URL', 'coingeckoUrl', 'https://api.coingecko.com', {
    meaning: 'Where the list of coins is read',
    ...httpBase,
  }),
  setting('SUPPORT_CONTACT', 'supportContact', 'quản trị viên', {
    meaning: 'Whom to turn to without being able to sign in; shown to everybody',
    ...line(200),
  }),
  setting('TEAM_NAME', 'teamName', 'Kim Phiên', { meaning: 'Name at the top of the back office', ...line(60) }),
  setting('DEMO_DATA', 'isDemo', 'no', {
    meaning: 'Has every page say that its data are made up; npm run demo sets it',
    ...yesOrNo,
  }),
  setting('TRUST_PROXY', 'trustProxy', null, {
    allowed: 'IP addresses or networks such as 10.0.0.0/8, with commas between them',
    meaning: 'Proxies whose X-Forwarded-For and traceparent count; nobody’s where none is set',
    read: readProxies,
  }),
  setting('DRAIN_SECONDS', 'drainSeconds', '0', {
    meaning: 'How long a process that is to end goes on serving; behind a proxy longer than it takes to notice',
    ...wholeNumber(0, 10),
  }),
  setting('LOG_LEVEL', 'logLevel', 'info', {
    allowed: logLevels.join(', '),
    meaning: 'The least important events that are logged',
    read: (text) => logLevels.find((level) => level === text) ?? null,
  }),
  setting('LOG_FORMAT', 'logFormat', 'auto', {
    allowed: logFormats.join(', '),
    meaning: 'How events are written; auto: for a person on a terminal, else a line of JSON each',
    read: (text) => logFormats.find((format) => format === text) ?? null,
  }),
  setting('RATE_LIMIT_FACTOR', 'rateLimitFactor', '1', {
    allowed: 'a number from 0.01 to 1000000',
    meaning: 'Multiplies the request limits; never the one on an account’s passwords',
    read: (text) =>
      /^\d{1,7}(\.\d{1,2})?$/.test(text) && Number(text) >= 0.01 && Number(text) <= 1_000_000 ? Number(text) : null,
  }),
  setting('DEVELOPMENT', 'isDevelopment', 'no', {
    meaning: 'Opens /metrics and /docs to this machine without a token; npm run dev sets it',
    ...yesOrNo,
  }),
  setting('METRICS_TOKEN', 'metricsToken', null, {
    meaning: 'Bearer token of /metrics and /docs, which are off where none is set',
    ...visibleAscii(16, 200),
  }),
  setting('OTEL_EXPORTER_OTLP_ENDPOINT', 'otlpEndpoint', null, {
    meaning: 'Collector that takes traces by OTLP; without it nothing is sent',
    ...httpBase,
  }),
  setting('OTEL_TRACES_SAMPLER_ARG', 'tracedShare', '1', {
    allowed: 'a number from 0 to 1',
    meaning: 'Share of the requests that are traced, where no trusted proxy has decided it',
    read: (text) => (/^(0|1|[01]?\.\d{1,9})$/.test(text) && Number(text) <= 1 ? Number(text) : null),
  }),
  setting('PUBLIC_ORIGIN', 'publicOrigin', null, {
    allowed: 'the origin of the web as browsers see it, such as https://kim.example',
    meaning: 'Passkeys belong to it; without it none are offered',
    read: readOrigin,
  }),
  setting('STAFF_SECOND_FACTOR', 'staffSecondFactor', 'optional', {
    meaning: 'Whether admins have to prove a second factor: nobody, whoever has added one, or everybody',
    ...oneOf('off', 'optional', 'required'),
  }),
  setting('AUDIT_KEY', 'auditKey', null, {
    meaning: 'Key that signs the audit log; made in DATA_DIR where none is set',
    ...visibleAscii(32, 200),
  }),
  setting('LOG_KEY', 'logKey', null, {
    meaning: 'Key that signs the open book; made from AUDIT_KEY, or in DATA_DIR, where none is set',
    ...key32,
  }),
  setting('BACKUP_EVERY', 'backupEvery', 'off', {
    meaning: 'Minutes after which the embedded database is backed up again; the 14 newest are kept',
    ...wholeNumberOrOff(1, 10_080),
  }),
  setting('BACKUP_DIR', 'backupDir', null, {
    meaning: 'Folder of the backups, best on another disk; backups in DATA_DIR where none is set',
    ...folderPath,
  }),
  setting('BACKUP_KEY', 'backupKey', null, {
    meaning: 'Key that seals backups; made in DATA_DIR where none is set',
    ...key32,
  }),
  setting('LOG_ORIGIN', 'logOrigin', null, {
    meaning: 'Name of the open book’s first log; kim-phien/ and 8 digits of its key where none is set',
    ...matching('1 to 100 letters, digits, ., -, _ and /, the first a letter or a digit', /^[A-Za-z0-9][\w./-]{0,99}$/),
  }),
  setting('LOG_WITNESSES', 'logWitnesses', null, {
    allowed: 'vkey@https://…, several separated by commas',
    meaning: 'Witnesses that are asked every 10 s to sign the open book’s newest note',
    read: readWitnesses,
  }),
  setting('VAPID_PRIVATE_KEY', 'vapidPrivateKey', null, {
    allowed: '32 bytes in base64url: 43 letters, digits, - and _',
    meaning: 'Key that push services know this server by; made in the database where none is set',
    read: readPrivateKey,
  }),
  setting('VAPID_SUBJECT', 'vapidSubject', null, {
    allowed: 'mailto:… or https://…',
    meaning: 'Address for push services; SUPPORT_CONTACT where that is one and none is set',
    read: (text) => (/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(text) && URL.canParse(text) ? text : null),
  }),
  setting('S3_BUCKET', 's3Bucket', null, {
    meaning: 'Bucket for uploads instead of the folder uploads in DATA_DIR; several machines need one',
    ...matching('3 to 63 lower-case letters, digits, . and -', /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/),
  }),
  setting('S3_REGION', 's3Region', 'us-east-1', {
    meaning: 'Region of the bucket',
    ...matching('up to 40 lower-case letters, digits and -', /^[a-z0-9-]{1,40}$/),
  }),
  setting('S3_ENDPOINT', 's3Endpoint', null, { meaning: 'Where the bucket is, if it is not Amazon’s', ...httpBase }),
  setting('S3_ACCESS_KEY_ID', 's3AccessKeyId', null, {
    meaning: 'Name of the key that may write the bucket; the machine’s own role where none is set',
    ...visibleAscii(1, 200),
  }),
  setting('S3_SECRET_ACCESS_KEY', 's3SecretAccessKey', null, {
    meaning: 'Secret of that key',
    ...visibleAscii(1, 200),
  }),
] as const
