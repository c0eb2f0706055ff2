import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, ROOT_CONTEXT, type Span as OtelSpan, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { type ExportResult, ExportResultCode, hrTimeToMilliseconds, parseTraceParent } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { monotonicMs } from './clock.ts'
import type { Logger } from './log.ts'
import { programVersion } from './program-version.ts'
import type { Span, Tracing } from './tracing.ts'

export interface TelemetryOptions {
  readonly endpoint: string
  readonly share: number
  readonly log: Logger
}

export interface Telemetry {
  readonly tracing: Tracing
  stop(): Promise<void>
}

/** At most this many spans wait to be sent; further spans are dropped. */
const QUEUE_SPANS = 8_192
const SEND_SPANS_EVERY_MS = 2_000
const SEND_WITHIN_MS = 10_000
const STOP_WITHIN_MS = 2_000

/**
 * Sends traces to a collector by OTLP (decision 031). The exporter reads more settings from the environment, such as
 * OTEL_EXPORTER_OTLP_HEADERS. While the collector is away, traces are lost.
 */
export function startTelemetry({ endpoint, share, log }: TelemetryOptions): Telemetry {
  const resource = resourceFromAttributes({
    'service.name': 'kim-phien',
    'service.version': programVersion(),
    'service.instance.id': randomUUID(),
  })
  const spans = new TracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: watchExports(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }), log),
        maxQueueSize: QUEUE_SPANS,
        scheduledDelayMillis: SEND_SPANS_EVERY_MS,
        exportTimeoutMillis: SEND_WITHIN_MS,
      }),
    ],
  })
  const tracer = spans.getTracer('kim-phien')

  const wrap = (otel: OtelSpan, context: Context, now: () => number): TracedSpan => {
    const own = trace.setSpan(context, otel)
    let isEnded = false
    return {
      otel,
      begin: (name, links = []) =>
        wrap(tracer.startSpan(name, { links: links.flatMap(linkTo), startTime: now() }, own), own, now),
      note: (name, value) => void otel.setAttribute(name, value),
      fail(type) {
        otel.setAttribute('error.type', type)
        otel.setStatus({ code: SpanStatusCode.ERROR })
      },
      end() {
        if (!isEnded) otel.end(now())
        isEnded = true
      },
    }
  }

  return {
    tracing: {
      beginRequest(method, route, traceparent) {
        // Only `traceparent` is used, because `tracestate` may contain any text.
        const caller = traceparent === null ? null : parseTraceParent(traceparent)
        const context =
          caller === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...caller, isRemote: true })
        const otel = tracer.startSpan(
          route === null ? method : `${method} ${route}`,
          {
            kind: SpanKind.SERVER,
            attributes: { 'http.request.method': method, ...(route === null ? {} : { 'http.route': route }) },
          },
          context,
        )
        return otel.isRecording() ? wrap(otel, context, clockOf(otel)) : null
      },
    },
    async stop() {
      const sent = Promise.allSettled([spans.shutdown()])
      await Promise.race([sent, sleep(STOP_WITHIN_MS, undefined, { ref: false })])
    },
  }
}

/** Returns one clock for all spans of a request. With the library's own two clocks, spans could seem to overlap. */
function clockOf(request: OtelSpan): () => number {
  const beganAtMs = hrTimeToMilliseconds((request as unknown as ReadableSpan).startTime)
  const atMs = monotonicMs()
  return () => beganAtMs + monotonicMs() - atMs
}

interface TracedSpan extends Span {
  readonly otel: OtelSpan
}

const linkTo = (span: Span) => ('otel' in span ? [{ context: (span as TracedSpan).otel.spanContext() }] : [])

function watchExports(exporter: OTLPTraceExporter, log: Logger): OTLPTraceExporter {
  let isFailing = false
  const judge = ({ code, error }: ExportResult): void => {
    const isFailure = code !== ExportResultCode.SUCCESS
    if (isFailure === isFailing) return
    isFailing = isFailure
    // The collector's answer is not logged, because it may quote the data that was sent.
    const reason = (error as { code?: unknown } | undefined)?.code ?? error?.name ?? 'unknown'
    if (isFailure) log.warn({ reason }, 'Traces are not taken by their collector')
    else log.info('Traces are taken by their collector again')
  }
  const send = exporter.export.bind(exporter)
  exporter.export = (items, done) =>
    send(items, (result) => {
      judge(result)
      done(result)
    })
  return exporter
}
