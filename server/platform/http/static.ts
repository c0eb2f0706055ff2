import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SCREEN_PATHS } from '#contract/screen-paths.ts'
import { COMPRESS_FROM_BYTES, compress, type Encoding, encodingFor } from './compress.ts'
import { refuse } from './errors.ts'
import { sendRefused } from './answers.ts'

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
/** Files with this suffix were compressed by scripts/precompress-plugin.ts. */
const BROTLI_SUFFIX = '.br'
const FILE_LEVEL = 9

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
    // For the chart by TradingView.
    'frame-src https://www.tradingview-widget.com',
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

export const pageHeaders: Readonly<Record<string, string>> = {
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
}

interface WebFile {
  readonly body: Buffer
  readonly contentType: string
  readonly etag: string
  readonly policy: string
  readonly isHashed: boolean
  readonly compressed: Map<Encoding, Promise<Buffer> | Buffer>
}

export interface WebOptions {
  readonly distDir: string | null
  readonly isDemo: boolean
}

/** Patterns for the paths of screens. Like the web's router, they ignore case and a slash at the end. */
const screens = SCREEN_PATHS.map(
  (path) => new RegExp(`^${path.replace(/\$\w+/g, '[^/]+').replace(/([^/])$/, '$1/?')}$`, 'i'),
)

/**
 * Serves the built web from memory. The path of a screen gets index.html. Another path without a file gets status 404,
 * with index.html for a navigation outside /api/, else with JSON (rules §6.3).
 */
export function registerWeb(app: FastifyInstance, { distDir, isDemo }: WebOptions): void {
  const files = distDir === null ? new Map<string, WebFile>() : readFiles(distDir, isDemo)
  const index = files.get('/index.html')

  app.setNotFoundHandler((request, reply) => {
    const [target = '/'] = request.url.split(/[?#]/, 1)
    const path = decoded(target)
    const isPage = request.method === 'GET' || request.method === 'HEAD'
    if (!isPage || path === null || path.startsWith('/api/')) return sendRefused(reply, refuse('ROUTE_NOT_FOUND'))
    const isScreen = screens.some((screen) => screen.test(target))
    const file = files.get(path) ?? (isScreen ? index : undefined)
    if (file !== undefined) return sendFile(file, request, reply)
    const isNavigation = request.headers.accept?.includes('text/html') === true
    if (index !== undefined && isNavigation) return sendFile(index, request, reply.code(404))
    return sendRefused(reply, refuse('ROUTE_NOT_FOUND'))
  })
}

function readFiles(distDir: string, isDemo: boolean): Map<string, WebFile> {
  const files = new Map<string, WebFile>()
  if (!existsSync(distDir)) return files
  for (const entry of readdirSync(distDir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const url = `/${relative(distDir, path).split(sep).join('/')}`
    // Skips dot files of tools; source maps, because they contain all our source; and compressed copies, because they
    // are read together with their originals.
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

/** Adds the mark that web/layout/root.tsx looks for, so that made-up data are not presented as real. */
function markAsDemo(html: string): Buffer {
  const marked = html.replace('<html ', '<html data-demo ')
  if (marked === html) throw new Error('The page has no place for the mark of made-up data.')
  return Buffer.from(marked)
}

/** Returns the hashes by which the CSP allows the page's inline scripts (CSP Level 3, hash-source). */
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
  if (reply.statusCode === 200 && isKnown(request.headers['if-none-match'], file.etag)) return reply.code(304).send()
  const encoding = isWorthIt(file) ? encodingFor(request.headers['accept-encoding']) : 'identity'
  const body = await bodyOf(file, encoding)
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  reply.header('content-type', file.contentType).header('content-length', body.length)
  return reply.send(request.method === 'HEAD' ? undefined : body)
}

/** Compares weakly (RFC 9110 §13.1.2): a proxy that compresses a file anew marks its tag with W/. */
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

function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}
