import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { COMPRESS_FROM_BYTES, compress, type Encoding, encodingFor } from './compress.ts'
import { refuse } from './errors.ts'
import { sendRefused } from './http.ts'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}
const COMPRESSIBLE = /^(text\/|application\/|image\/svg)/
/** Beside a file of the build: the same, compressed as well as can be (scripts/precompress-plugin.ts). */
const BROTLI_SUFFIX = '.br'
/** Where that is missing: good at a fraction of the time, done once per file, when it is first asked for. */
const FILE_LEVEL = 9

/** Scripts of our own origin only, and those that the page itself holds, by their hashes; one foreign frame. */
const contentSecurityPolicy = (scriptHashes: readonly string[]) =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...scriptHashes].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    // TradingView's chart, opened only when a player asks for it.
    'frame-src https://www.tradingview-widget.com',
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/** What every page and file is sent with beside its policy: nothing is sniffed. */
const pageHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
}

interface WebFile {
  readonly body: Buffer
  readonly contentType: string
  readonly etag: string
  readonly policy: string
  /** Its name changes with its content. */
  readonly isHashed: boolean
  readonly compressed: Map<Encoding, Promise<Buffer> | Buffer>
}

export interface WebOptions {
  /** The folder of the build; null serves none. */
  readonly distDir: string | null
  /** Marks every page, so that it says that its data are made up. */
  readonly isDemo: boolean
}

/**
 * Serves the built web from memory: hashed files for ever, the rest checked each time, and index.html for every path
 * that is a screen. Whatever is not there is a 404 in JSON. Reads the folder once, now; there may be none.
 */
export function registerWeb(app: FastifyInstance, { distDir, isDemo }: WebOptions): void {
  const files = distDir === null ? new Map<string, WebFile>() : readFiles(distDir, isDemo)
  const index = files.get('/index.html')

  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request.url)
    const isPage = request.method === 'GET' || request.method === 'HEAD'
    if (!isPage || path === null || path.startsWith('/api/')) return sendRefused(reply, refuse('ROUTE_NOT_FOUND'))
    const file = files.get(path) ?? (extname(path) === '' ? index : undefined)
    return file === undefined ? sendRefused(reply, refuse('ROUTE_NOT_FOUND')) : sendFile(file, request, reply)
  })
}

function readFiles(distDir: string, isDemo: boolean): Map<string, WebFile> {
  const files = new Map<string, WebFile>()
  if (!existsSync(distDir)) return files
  for (const entry of readdirSync(distDir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const url = `/${relative(distDir, path).split(sep).join('/')}`
    // What begins with a dot is for tools of this machine, and a source map holds the whole source.
    if (!entry.isFile() || url.includes('/.') || /\.(?:br|map)$/.test(url)) continue
    const isMarked = isDemo && extname(path) === '.html'
    const body = isMarked ? markAsDemo(readFileSync(path, 'utf8')) : readFileSync(path)
    const brotli = !isMarked && existsSync(path + BROTLI_SUFFIX) ? readFileSync(path + BROTLI_SUFFIX) : null
    files.set(url, {
      body,
      contentType: CONTENT_TYPES[extname(path)] ?? 'application/octet-stream',
      etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
      policy: contentSecurityPolicy(extname(path) === '.html' ? scriptHashes(body.toString('utf8')) : []),
      isHashed: url.startsWith('/assets/'),
      compressed: new Map(brotli === null ? [] : [['br', brotli]]),
    })
  }
  return files
}

/** web/ui/demo-tag.tsx looks for the mark. A page without it would pass made-up data off as real. */
function markAsDemo(html: string): Buffer {
  const marked = html.replace('<html ', '<html data-demo ')
  if (marked === html) throw new Error('The page has no place for the mark of made-up data.')
  return Buffer.from(marked)
}

/** CSP Level 3, hash-source: of every script that stands in the page itself. */
function scriptHashes(html: string): string[] {
  const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)]
  return scripts.map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
}

async function sendFile(file: WebFile, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  reply
    .headers(pageHeaders)
    .header('content-security-policy', file.policy)
    .header('cache-control', file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    .header('etag', file.etag)
    .header('vary', 'accept-encoding')
  if (isKnown(request.headers['if-none-match'], file.etag)) return reply.code(304).send()
  const encoding = isWorthIt(file) ? encodingFor(request.headers['accept-encoding']) : 'identity'
  const body = await bodyOf(file, encoding)
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  reply.code(200).header('content-type', file.contentType).header('content-length', body.length)
  return reply.send(request.method === 'HEAD' ? undefined : body)
}

/** By the weak comparison of RFC 9110 §13.1.2: any of a list, and a proxy that compressed anew has marked it with W/. */
const isKnown = (known: string | undefined, etag: string): boolean =>
  known !== undefined && known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)

const isWorthIt = ({ contentType, body }: WebFile) =>
  COMPRESSIBLE.test(contentType) && body.length >= COMPRESS_FROM_BYTES

function bodyOf(file: WebFile, encoding: Encoding): Promise<Buffer> | Buffer {
  if (encoding === 'identity') return file.body
  let compressed = file.compressed.get(encoding)
  if (compressed === undefined) {
    compressed = compress(file.body, encoding, FILE_LEVEL)
    file.compressed.set(encoding, compressed)
  }
  return compressed
}

/** The path of a request target, decoded; null when it can't be. */
function pathOf(url: string): string | null {
  try {
    return decodeURIComponent(url.split(/[?#]/, 1)[0] ?? '/')
  } catch {
    return null
  }
}
