import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { parseAddress } from '#server/platform/http/addresses.ts'
import { refuse } from '#server/platform/http/errors.ts'
import { sendRefused } from '#server/platform/http/answers.ts'
import { FORWARDING } from '#server/platform/http/http-server.ts'

/** Decides who may read /metrics and /docs (rules §6.3). */
export interface OperatorsOnly {
  readonly metricsToken: string | null
  /** If true, direct calls from this machine need no token. */
  readonly isDevelopment: boolean
}

export interface Metrics {
  readonly registry: Registry
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  histogram(name: string, help: string, buckets: readonly number[]): (value: number) => void
}

const LOOPBACK = /^(127\..*|::1)$/

export function registerMetrics(app: FastifyInstance, readers: OperatorsOnly): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'http_request_seconds',
    help: 'Time from the first byte of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  // What `labels` returns is cached for each method, route and status, because `labels` takes longer than `observe`.
  const children = new Map<string, { observe(value: number): void }>()

  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    const key = `${request.method} ${route} ${reply.statusCode}`
    let child = children.get(key)
    if (child === undefined) {
      child = seconds.labels(request.method, route, String(reply.statusCode))
      children.set(key, child)
    }
    child.observe(reply.elapsedTime / 1000)
    done()
  })

  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!mayRead(request, readers)) return sendRefused(reply, refuse('FORBIDDEN'))
    const text = await registry.metrics()
    return reply.header('content-type', registry.contentType).header('cache-control', 'no-store').send(text)
  })

  return {
    registry,
    gauge(name, help, read) {
      void new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          this.set(await read())
        },
      })
    },
    histogram(name, help, buckets) {
      const histogram = new Histogram({ name, help, buckets: [...buckets], registers: [registry] })
      return (value) => histogram.observe(value)
    },
  }
}

export function mayRead({ headers, socket }: FastifyRequest, { metricsToken, isDevelopment }: OperatorsOnly): boolean {
  if (metricsToken !== null && headers.authorization !== undefined) {
    const digest = (text: string) => createHash('sha256').update(text).digest()
    return timingSafeEqual(digest(headers.authorization), digest(`Bearer ${metricsToken}`))
  }
  const isThisMachine = LOOPBACK.test(parseAddress(socket.remoteAddress ?? '') ?? '')
  return isDevelopment && isThisMachine && !Object.keys(headers).some((name) => FORWARDING.test(name))
}
