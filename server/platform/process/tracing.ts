import type { FastifyInstance } from 'fastify'
import type { RefusalCode } from '#contract/refusals.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of this request in a trace; null where it is not traced. */
    span: Span | null
  }
}

/**
 * A part of the work for a request, from `begin` to `end`. Names and values leave the installation: they are words of
 * our own, counts and templates of routes, never data of users.
 */
export interface Span {
  /** Begins a part of this one. @param links spans of other traces that have to do with it */
  begin(name: string, links?: readonly Span[]): Span
  note(name: string, value: string | number | boolean): void
  /** @param type a code of ours or an SQLSTATE; messages of errors may quote data of users */
  fail(type: string): void
  /** Only the first call counts. */
  end(): void
}

/** Makes spans; telemetry.ts does it by OpenTelemetry. Where telemetry is off there is none, and no span either. */
export interface Tracing {
  /**
   * Begins the span of a request. Null where the sampling leaves the request out.
   * @param route the template of its path; null where no route was found
   * @param traceparent the header of that name (W3C Trace Context), by which it continues the caller's trace; null
   * where the caller may not decide which requests are traced
   */
  beginRequest(method: string, route: string | null, traceparent: string | null): Span | null
}

/**
 * Gives every request a span, from its arrival to the end of its answer. A stranger's `traceparent` is ignored:
 * otherwise it would decide which requests are traced, and its ids would bias the sampled share.
 * @param isTrusted whether the `traceparent` of a peer of this address counts (TRUST_PROXY)
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
    // The line of the log about it has the same id, and the caller reads it in X-Request-Id.
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
