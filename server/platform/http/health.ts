import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

export type ReadyChecks = Readonly<Record<string, () => boolean | Promise<boolean>>>

const ANSWER_WITHIN_MS = 2_000

/**
 * Serves /livez, which shows that the process answers, and /readyz, which lists the state of each part. /readyz answers
 * 503 if one of `checks` fails, or if the process is stopping.
 * @param noted parts that /readyz lists, but that do not make it answer 503
 */
export function registerHealth(
  app: FastifyInstance,
  checks: ReadyChecks,
  noted: ReadyChecks = {},
  isStopping: () => boolean = () => false,
): void {
  app.get('/livez', () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    if (isStopping()) return reply.code(503).send({ status: 'stopping', checks: {} })
    const parts = await Promise.all(
      Object.entries({ ...checks, ...noted }).map(
        async ([name, check]) => [name, (await isReady(check)) ? 'ok' : 'failed'] as const,
      ),
    )
    const isOk = parts.every(([name, state]) => state === 'ok' || noted[name] !== undefined)
    return reply.code(isOk ? 200 : 503).send({ status: isOk ? 'ok' : 'failed', checks: Object.fromEntries(parts) })
  })
}

async function isReady(check: () => boolean | Promise<boolean>): Promise<boolean> {
  const late = new AbortController()
  try {
    return await Promise.race([
      Promise.resolve(check()).catch(() => false),
      sleep(ANSWER_WITHIN_MS, false, { signal: late.signal, ref: false }),
    ])
  } catch {
    return false
  } finally {
    late.abort()
  }
}
