import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

/** A span as OTLP's JSON has it, with its attributes as an object. */
export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  /** Empty for the first of its trace. */
  readonly parentSpanId: string
  readonly name: string
  /** 1 internal, 2 server. */
  readonly kind: number
  readonly traceState: string
  readonly startMs: number
  readonly endMs: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly links: ReadonlyArray<{ readonly traceId: string; readonly spanId: string }>
  /** 2 is an error. */
  readonly status: number
}

/** A collector of a test's own, which keeps the traces that it gets. */
export interface OtlpReceiver {
  readonly url: string
  /** How often it was called, also while it refused. */
  calls(): number
  spans(): readonly ReceivedSpan[]
  /** Attributes of the processes that sent. */
  resources(): ReadonlyArray<Readonly<Record<string, unknown>>>
  /** Everything as it came: the lines and headers of requests, and their bodies. */
  heads(): string
  bodies(): string
  /** From now on every call gets this status; null never answers. */
  answer(status: number | null): void
  close(): Promise<void>
}

interface Value {
  readonly stringValue?: string
  readonly intValue?: string | number
  readonly doubleValue?: number
  readonly boolValue?: boolean
}
type KeyValues = ReadonlyArray<{ readonly key: string; readonly value: Value }>
interface WireSpan extends Pick<ReceivedSpan, 'traceId' | 'spanId' | 'name' | 'kind'> {
  readonly parentSpanId?: string
  readonly traceState?: string
  readonly links?: ReceivedSpan['links']
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes?: KeyValues
  readonly status?: { readonly code?: number }
}
interface Sent {
  readonly resourceSpans?: ReadonlyArray<{
    readonly resource: { readonly attributes: KeyValues }
    readonly scopeSpans: ReadonlyArray<{ readonly spans: readonly WireSpan[] }>
  }>
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const sent: Array<{ readonly path: string; readonly head: string; readonly body: string }> = []
  let calls = 0
  let status: number | null = 200
  const server = createServer(async (request, response) => {
    calls++
    const body = await bodyOf(request)
    if (status === null) return
    if (status === 200)
      sent.push({
        path: request.url ?? '',
        head: `${request.method} ${request.url}\n${request.rawHeaders.join('\n')}`,
        body,
      })
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const of = (path: string): Sent[] =>
    sent.filter((one) => one.path === path).map(({ body }) => JSON.parse(body) as Sent)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: () => calls,
    spans: () =>
      of('/v1/traces').flatMap(({ resourceSpans = [] }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans.map(readSpan))),
      ),
    resources: () =>
      of('/v1/traces').flatMap(({ resourceSpans = [] }) =>
        resourceSpans.map(({ resource }) => readAttributes(resource.attributes)),
      ),
    heads: () => sent.map(({ head }) => head).join('\n'),
    bodies: () => sent.map(({ body }) => body).join('\n'),
    answer: (next) => void (status = next),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  return (request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString('utf8')
}

const readAttributes = (attributes: KeyValues = []): Record<string, unknown> =>
  Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, doubleValue, boolValue } }) => [
      key,
      stringValue ?? (intValue === undefined ? undefined : Number(intValue)) ?? doubleValue ?? boolValue,
    ]),
  )

function readSpan(span: WireSpan): ReceivedSpan {
  const { traceId, spanId, parentSpanId = '', name, kind, traceState = '', links = [], status } = span
  return {
    ...{ traceId, spanId, parentSpanId, name, kind, traceState, links },
    startMs: Number(span.startTimeUnixNano) / 1e6,
    endMs: Number(span.endTimeUnixNano) / 1e6,
    attributes: readAttributes(span.attributes),
    status: status?.code ?? 0,
  }
}
