import { pino } from 'pino'

export type Logger = pino.Logger

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** Where a secret may sit in what is logged. Whatever is under these keys is replaced, never printed. */
const secretKeys = ['password', 'token', 'authorization', 'cookie', 'secret', 'newPassword', 'currentPassword']

/**
 * One JSON line per event on standard output, written at once so that the last line before a crash is there too.
 * `destination` is for tests.
 */
export function createLog(level: LogLevel, destination?: pino.DestinationStream): Logger {
  const options: pino.LoggerOptions = {
    level,
    redact: {
      paths: secretKeys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]),
      censor: '[secret]',
    },
    serializers: { err: describeError, error: describeError },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

/**
 * What an error may say. The database's `detail` and `where` quote whole rows, which can hold a password's hash, and
 * are left out.
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
