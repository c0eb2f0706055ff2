import type { FastifyInstance } from 'fastify'
import type { RefusalCode } from '#contract/refusals.ts'

declare module 'fastify' {
  interface FastifyRequest {
    span: Span | null
  }
}

/**
 * A part of the work for a request. Names and values leave the installation, so they may only be fixed words, counts,
 * ids of requests and templates of routes, and never data of users.
 */
export interface Span {
  begin(name: string, links?: readonly Span[]): Span
  note(name: string, value: string | number | boolean): void
  /** @param type a refusal code or an SQLSTATE; not the error's message, which may quote data of users */
  fail(type: string): void
  end(): void
}

export interface Tracing {
  /**
   * Returns the request's span; null if sampling leaves the request out.
   * @param traceparent the header (W3C Trace Context) by which the span continues the caller's trace; null if there is
   * no such header or the caller is not trusted
   */
  beginRequest(method: string, route: string | null, traceparent: string | null): Span | null
}

/**
 * Traces requests. The `traceparent` of an untrusted caller is ignored: with it, anybody could decide which requests
 * are traced, and the share of traced requests would not be the configured one.
 * @param isTrusted whether the `traceparent` of this peer counts (TRUST_PROXY)
 */
export function traceRequests(app: FastifyInstance, tracing: Tracing, isTrusted: (address: string) => boolean): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers
    const peer = request.socket.remoteAddress
    request.span = tracing.beginRequest(
      request.method,
      request.routeOptions.url ?? null,
      typeof traceparent === 'string' && peer !== undefined && isTrusted(peer) ? traceparent : null,
    )
    request.span?.note('request.id', request.id)
    done()
  })
  app.addHook('onResponse', ({ span }, reply, done) => {
    if (span !== null) {
      span.note('http.response.status_code', reply.statusCode)
      const { refusalCode }: { refusalCode: RefusalCode | null } = reply
      if (refusalCode !== null) span.note('error.type', refusalCode)
      if (reply.statusCode >= 500) span.fail(refusalCode ?? String(reply.statusCode))
      span.end()
    }
    done()
  })
}
