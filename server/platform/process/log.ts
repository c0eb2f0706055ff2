import { pino } from 'pino'
import { isDatabaseAway } from '#server/platform/database/transaction.ts'

export type Logger = pino.Logger

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export const logFormats = ['auto', 'json', 'pretty'] as const
export type LogFormat = (typeof logFormats)[number]

/** Keys that may contain a secret in a log entry. Their values are replaced, never printed. */
const secretKeys = ['password', 'token', 'authorization', 'cookie', 'secret', 'newPassword', 'currentPassword']

/** While the database is away, everything that repeats fails at every turn: the same line is written once in this time. */
const SAME_LINE_EVERY_MS = 5_000
const REMEMBERED = 100

/** Whether events are lines for a person: where standard output is a terminal, unless LOG_FORMAT says otherwise. */
export const isForPeople = (format: LogFormat): boolean =>
  format === 'pretty' || (format === 'auto' && process.stdout.isTTY)

/** Writes events as lines for a person: time, level in colour, words; an error's stack beneath. */
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

/**
 * One JSON line per event on standard output, written synchronously so that the last line before a crash is not lost.
 * @param destination else standard output
 */
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

/** Leaves out a line about a database that is away, where the last one with the same words and the same other fields is fresh. */
function withoutRepeats(): NonNullable<NonNullable<pino.LoggerOptions['hooks']>['logMethod']> {
  const saidAtMs = new Map<string, number>()
  return function (args, method) {
    const [about, text] = args as readonly unknown[]
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

/**
 * The parts of an error that are logged. The database's `detail` and `where` quote whole rows, which can contain a
 * password's hash, and are left out.
 */
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
