import type { FastifyInstance } from 'fastify'
import type { RefusalCode } from '#contract/refusals.ts'

declare module 'fastify' {
  interface FastifyRequest {
    span: Span | null
  }
}

/** A part of the work for a request. Its names and values leave the installation, so they must not be data of users. */
export interface Span {
  begin(name: string, links?: readonly Span[]): Span
  note(name: string, value: string | number | boolean): void
  /** @param type a code, such as a refusal's; not the error's message, which may quote data of users */
  fail(type: string): void
  end(): void
}

export interface Tracing {
  /**
   * Returns the request's span; null if sampling leaves the request out.
   * @param traceparent the header (W3C Trace Context) of a trusted caller, whose trace the span continues; else null
   */
  beginRequest(method: string, route: string | null, traceparent: string | null): Span | null
}

/**
 * Traces requests. The `traceparent` of an untrusted caller is ignored: it could decide that a request is traced.
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
