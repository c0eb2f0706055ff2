import { pino } from 'pino'
import { isDatabaseAway } from '#server/platform/database/transaction.ts'

export type Logger = pino.Logger

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export const logFormats = ['auto', 'json', 'pretty'] as const
export type LogFormat = (typeof logFormats)[number]

const secretKeys = ['password', 'token', 'authorization', 'cookie', 'secret', 'newPassword', 'currentPassword']

/** While the database is away, equal log lines about this are written at most once in this time. */
const SAME_LINE_EVERY_MS = 5_000
const REMEMBERED = 100

export const isForPeople = (format: LogFormat): boolean =>
  format === 'pretty' || (format === 'auto' && process.stdout.isTTY)

export async function openPrettyLines(): Promise<pino.DestinationStream> {
  const { default: pretty } = await import('pino-pretty')
  return pretty({
    sync: true,
    colorize: process.stdout.isTTY && process.stdout.hasColors(),
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,hostname',
    singleLine: true,
    errorLikeObjectKeys: ['err', 'error'],
  })
}

/** Makes a log that is written synchronously (by default to standard output), so that no crash loses its last line. */
export function createLog(level: LogLevel, destination?: pino.DestinationStream): Logger {
  const options: pino.LoggerOptions = {
    level,
    redact: {
      paths: secretKeys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]),
      censor: '[secret]',
    },
    serializers: { err: describeError, error: describeError },
    hooks: { logMethod: withoutRepeats() },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

export interface FailureKind {
  readonly text: string
  readonly code: string | null
  readonly count: number
  readonly atMonotonicMs: number
}

const WARN = 40
const KINDS_MAX = 20
const kinds = new Map<string, FailureKind>()

/** Counts failures by log text and the error's code or name, not by its message, which may contain personal data. */
function noteFailure(about: unknown, said: unknown): void {
  const err = (typeof about === 'object' && about !== null && 'err' in about ? about.err : about) as {
    readonly code?: unknown
    readonly name?: unknown
  } | null
  const isWord = (word: unknown): word is string => typeof word === 'string' && /^\w{1,40}$/.test(word)
  const code = [err?.code, err?.name].find(isWord) ?? null
  const text = typeof about === 'string' ? about : typeof said === 'string' ? said : ''
  const key = `${text} ${code}`
  const count = (kinds.get(key)?.count ?? 0) + 1
  kinds.delete(key)
  kinds.set(key, { text, code, count, atMonotonicMs: performance.now() })
  for (const oldest of kinds.keys()) if (kinds.size > KINDS_MAX) kinds.delete(oldest)
}

export const recentFailures = (): FailureKind[] => [...kinds.values()].toReversed()

function withoutRepeats(): NonNullable<NonNullable<pino.LoggerOptions['hooks']>['logMethod']> {
  const saidAtMs = new Map<string, number>()
  return function (args, method, level) {
    const [about, text] = args as readonly unknown[]
    if (level >= WARN) noteFailure(about, text)
    if (typeof about === 'object' && about !== null && 'err' in about && isDatabaseAway(about.err)) {
      const key = JSON.stringify([text, { ...about, err: null }], (_, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      )
      const nowMs = performance.now()
      if (nowMs - (saidAtMs.get(key) ?? Number.NEGATIVE_INFINITY) < SAME_LINE_EVERY_MS) return
      if (saidAtMs.size >= REMEMBERED) saidAtMs.clear()
      saidAtMs.set(key, nowMs)
    }
    method.apply(this, args)
  }
}

/** Leaves out `detail` and `where` of a database error, which can quote rows, such as a password's hash. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { code, constraint, table } = error as { code?: unknown; constraint?: unknown; table?: unknown }
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint }),
    ...(table === undefined ? {} : { table }),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  }
}
