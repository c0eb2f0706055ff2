import { expect, test } from 'vitest'
import { reasonOf } from './reason-of.ts'
import { misspelledSettings, readSettings } from './settings.ts'
import { settingsTable } from './settings-table.ts'

/** A witness’s key: type 0x04. */
const WITNESS = 'w.example/1+0e0aac72+BP0XJDhaoMdbZPt4zWAvodmR/ev3axPFjtcC6sg16fYY'

/** The text of every default stands in docs/settings.md, which checks/docs.test.ts compares with the table. */
test('everything has a default, as its kind is read', () => {
  const read = readSettings({})
  expect(Object.keys(read)).toEqual(settingsTable.map(({ key }) => key))
  expect(read).toMatchObject({
    ...{ port: 3000, host: '127.0.0.1', databaseUrl: null, referralCode: 'KIMPHIEN', welcomePoints: 1000 },
    ...{ fourEyesFrom: 10_000_000, backupEvery: 'off', isDemo: false, trustProxy: null, rateLimitFactor: 1 },
  })
})

test('an empty value counts as not set', () => {
  expect(readSettings(Object.fromEntries(settingsTable.map((row) => [row.name, ''])))).toEqual(readSettings({}))
})

test.each([
  ['PORT', '0', 'port', 0],
  ['HOST', '::', 'host', '::'],
  ['HOST', 'db-1.example', 'host', 'db-1.example'],
  ['DATABASE_URL', 'postgresql://u:p@h/d?sslmode=require', 'databaseUrl', 'postgresql://u:p@h/d?sslmode=require'],
  ['WELCOME_POINTS', '0', 'welcomePoints', 0],
  ['FOUR_EYES_FROM', '5000', 'fourEyesFrom', 5000],
  ['FOUR_EYES_FROM', 'off', 'fourEyesFrom', 'off'],
  ['PYTH_URL', 'http://127.0.0.1:9000/', 'pythUrl', 'http://127.0.0.1:9000'],
  ['TRUST_PROXY', '10.0.0.0/8, ::1', 'trustProxy', ['10.0.0.0/8', '::1']],
  ['RATE_LIMIT_FACTOR', '0.5', 'rateLimitFactor', 0.5],
  ['TEAM_NAME', 'Đội Vàng', 'teamName', 'Đội Vàng'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:4318/', 'otlpEndpoint', 'http://127.0.0.1:4318'],
  ['OTEL_TRACES_SAMPLER_ARG', '0.05', 'tracedShare', 0.05],
  ['OTEL_TRACES_SAMPLER_ARG', '0', 'tracedShare', 0],
  ['LOG_KEY', `${'A'.repeat(43)}=`, 'logKey', `${'A'.repeat(43)}=`],
  ['LOG_ORIGIN', 'kim.example/gold', 'logOrigin', 'kim.example/gold'],
  [
    'LOG_WITNESSES',
    `${WITNESS}@https://w.example/a/, ${WITNESS}@http://127.0.0.1:8081`,
    'logWitnesses',
    [
      { key: expect.objectContaining({ name: 'w.example/1' }), url: 'https://w.example/a' },
      { key: expect.objectContaining({ name: 'w.example/1' }), url: 'http://127.0.0.1:8081' },
    ],
  ],
  ['VAPID_PRIVATE_KEY', `${'A'.repeat(42)}E`, 'vapidPrivateKey', `${'A'.repeat(42)}E`],
  ['VAPID_SUBJECT', 'mailto:care@kim.example', 'vapidSubject', 'mailto:care@kim.example'],
])('%s may be %s', (name, text, key, value) => {
  expect(readSettings({ [name]: text })).toMatchObject({ [key]: value })
})

test.each([
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['VAPID_PRIVATE_KEY', 'A'.repeat(43)],
  ['VAPID_PRIVATE_KEY', '_'.repeat(43)],
  ['VAPID_PRIVATE_KEY', 'A'.repeat(42)],
  ['VAPID_SUBJECT', 'http://kim.example'],
  ['VAPID_SUBJECT', 'mailto:'],
  ['PORT', '3e3'],
  ['PORT', '80 '],
  ['HOST', 'a b'],
  ['DATA_DIR', 'a\nb'],
  ['DATABASE_URL', 'mysql://h/d'],
  ['DATABASE_URL', 's3cret'],
  ['REDIS_URL', 'http://h'],
  ['ADMIN_USERNAME', 'ad min'],
  ['ADMIN_USERNAME', 'System'],
  ['ADMIN_PASSWORD', 's3cre'],
  ['REFERRAL_CODE', 'mã'],
  ['REFERRAL_REQUIRED', 'yes'],
  ['WELCOME_POINTS', '10.5'],
  ['FOUR_EYES_FROM', '0'],
  ['FOUR_EYES_FROM', 'none'],
  ['WELCOME_POINTS', '1000000001'],
  ['GOLD_FEED', 'Auto'],
  ['PYTH_URL', 'hermes.pyth.network'],
  ['PYTH_URL', 'https://h/?a=1'],
  ['PYTH_API_KEY', 'a b'],
  ['SWISSQUOTE_URL', 'ftp://h'],
  ['COINGECKO_URL', '//h'],
  ['SUPPORT_CONTACT', 'x'.repeat(201)],
  ['TEAM_NAME', 'x'.repeat(61)],
  ['TRUST_PROXY', 'true'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['LOG_LEVEL', 'verbose'],
  ['RATE_LIMIT_FACTOR', '0'],
  ['METRICS_TOKEN', 's3cret'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', '127.0.0.1:4318'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://h/?key=s3cret'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
  ['OTEL_TRACES_SAMPLER_ARG', '-0'],
  ['PUBLIC_ORIGIN', 'kim.example'],
  ['PUBLIC_ORIGIN', 'https://kim.example/x'],
  ['STAFF_SECOND_FACTOR', 'on'],
  ['AUDIT_KEY', 's3cret'],
  ['BACKUP_EVERY', '0'],
  ['BACKUP_EVERY', 'daily'],
  ['BACKUP_DIR', 'a\nb'],
  ['BACKUP_KEY', 'A'.repeat(43)],
  ['LOG_KEY', 'A'.repeat(43)],
  ['LOG_KEY', `${'A'.repeat(42)}E`],
  ['LOG_ORIGIN', 'kim phien'],
  ['LOG_ORIGIN', '/kim'],
  ['LOG_WITNESSES', WITNESS],
  ['LOG_WITNESSES', `${WITNESS}@w.example`],
  ['LOG_WITNESSES', `${WITNESS}@https://w.example,`],
  ['LOG_WITNESSES', `${WITNESS.replace('+', '+0')}@https://w.example`],
  ['LOG_WITNESSES', 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k@https://w.example'],
])('%s may not be %j: one line names it and what is allowed, without the value', (name, text) => {
  const row = settingsTable.find((candidate) => candidate.name === name)
  const answer = readSettings({ [name]: text })
  expect(answer).toEqual({ problems: [`${name}: the value is not allowed; allowed is ${row?.allowed}`] })
  expect(JSON.stringify(answer)).not.toContain('s3cre')
})

test('a name that is nearly a setting is asked about, and names of others are not', () => {
  expect(
    misspelledSettings({ DATABSE_URL: 'x', backup_dir: 'x', PATH: 'x', HOSTNAME: 'x', PORTS: 'x', PUBLIC_ORIGIN: 'x' }),
  ).toEqual(['DATABSE_URL is no setting; is it DATABASE_URL?', 'backup_dir is no setting; is it BACKUP_DIR?'])
})

test('every wrong value is named', () => {
  expect(readSettings({ PORT: 'x', LOG_LEVEL: 'x' })).toMatchObject({ problems: { length: 2 } })
})

test('a folder that the unit does not let the service write says how to allow it', () => {
  const error = Object.assign(new Error("EROFS: read-only file system, mkdir '/mnt/b'"), { code: 'EROFS' })
  expect(reasonOf(error)).toBe(
    `${error.message}; the service may write only where its unit says so: systemctl edit kim-phien, ReadWritePaths=FOLDER`,
  )
})
