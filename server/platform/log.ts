import { pino } from 'pino'

export type Logger = pino.Logger

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** Keys that may contain a secret in a log entry. Their values are replaced, never printed. */
const secretKeys = ['password', 'token', 'authorization', 'cookie', 'secret', 'newPassword', 'currentPassword']

/**
 * One JSON line per event on standard output, written synchronously so that the last line before a crash is not lost.
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
