import { at, type Finding, importsOf, isMember, isNode, isTest, nameOf, type SourceFile } from '../source-files.ts'

/** The edges of wall 4. Every feature may also import audit. A feature is on the left of its own line only. */
export const FEATURE_EDGES: Readonly<Record<string, readonly string[]>> = {
  audit: [],
  book: [],
  wallet: [],
  market: ['book'],
  limits: [],
  statistics: [],
  banks: [],
  files: [],
  push: [],
  notices: ['wallet'],
  'four-eyes': ['wallet', 'book'],
  factors: [],
  identity: ['wallet', 'push', 'book', 'four-eyes', 'factors', 'notices'],
  game: ['wallet', 'market', 'limits', 'notices', 'book'],
  disputes: ['book', 'chat', 'wallet', 'push', 'four-eyes'],
  cashier: ['wallet', 'banks', 'push', 'four-eyes'],
  chat: ['files', 'push'],
  'data-export': ['wallet'],
  overview: ['game', 'cashier', 'wallet', 'factors'],
  attention: [],
  'saved-views': [],
  customer: ['identity', 'wallet', 'limits', 'cashier'],
  finder: ['identity'],
}

const featureOf = (path: string): string | null => /^server\/features\/([^/]+)\//.exec(path)?.[1] ?? null
const webFeatureOf = (path: string): string | null => /^web\/features\/([^/]+)\//.exec(path)?.[1] ?? null
const tierOf = (path: string): string => path.split('/', 1)[0] ?? ''

/** The tiers and, where they are few, the libraries that a tier may import. Server and web may use any library. */
const TIER_IMPORTS: Readonly<
  Record<string, { readonly tiers: readonly string[]; readonly libraries?: readonly string[] }>
> = {
  domain: { tiers: ['domain'], libraries: [] },
  contract: { tiers: ['contract', 'domain'], libraries: ['zod/mini'] },
  server: { tiers: ['server', 'contract', 'domain'] },
  web: { tiers: ['web', 'contract', 'domain'] },
}

/** Walls 1, 2 and 3: domain imports domain, contract imports domain and zod/mini, server and web never meet. */
export function findWrongTiers(file: SourceFile): Finding[] {
  const allowed = TIER_IMPORTS[tierOf(file.path)]
  if (allowed === undefined || isTest(file.path)) return []
  return importsOf(file).flatMap(({ node, specifier, target, isOurs }) => {
    if (isOurs) {
      const tier = tierOf(target)
      if (allowed.tiers.includes(tier)) return []
      return [at(file, node, `${tierOf(file.path)}/ may not import ${tier}/: ${specifier}`)]
    }
    if (allowed.libraries === undefined || allowed.libraries.includes(specifier)) return []
    return [
      at(
        file,
        node,
        `${tierOf(file.path)}/ may not import the library ${specifier}; pass what it gives as an argument`,
      ),
    ]
  })
}

/** Wall 4: a server feature is entered through its index.ts, along the edges; platform imports no feature. */
export function findWrongFeatureImports(file: SourceFile): Finding[] {
  if (!/^(server|testing|proofs)\//.test(file.path)) return []
  const from = featureOf(file.path)
  return importsOf(file).flatMap(({ node, target }) => {
    const to = featureOf(target)
    if (to === null || to === from) return []
    if (file.path.startsWith('server/platform/'))
      return [at(file, node, `platform/ knows no feature: take what ${to} gives as an argument`)]
    if (target !== `server/features/${to}/index.ts`)
      return [at(file, node, `import #server/features/${to}/index.ts: other files of a feature are its own`)]
    if (from === null || to === 'audit' || FEATURE_EDGES[from]?.includes(to) === true || isTest(file.path)) return []
    return [
      at(
        file,
        node,
        `${from} may not import ${to}: let app.ts hand it in, or change the edges in docs/architecture.md`,
      ),
    ]
  })
}

const FEATURES = ['features', 'screens', 'layout']
/** Imports that are forbidden to each shared folder of the web. */
const ROOMS_ABOVE: Readonly<Record<string, readonly string[]>> = {
  lists: FEATURES,
  parts: FEATURES,
  ui: [...FEATURES, 'lists', 'parts'],
  platform: [...FEATURES, 'lists', 'parts', 'ui'],
}

/**
 * Wall 5: web features do not import each other; files that they share import none of them, and no shared folder
 * imports one above it.
 */
export function findWrongWebImports(file: SourceFile): Finding[] {
  if (!file.path.startsWith('web/')) return []
  const from = webFeatureOf(file.path)
  const folder = /^web\/([^/]+)\//.exec(file.path)?.[1] ?? ''
  return importsOf(file).flatMap(({ node, target }) => {
    const to = webFeatureOf(target)
    const targetFolder = /^web\/([^/]+)\//.exec(target)?.[1] ?? ''
    if (from !== null && to !== null && from !== to)
      return [at(file, node, `web feature ${from} may not import ${to}: compose both in a screen`)]
    if (from !== null && ['screens', 'layout'].includes(targetFolder))
      return [at(file, node, `a web feature imports no ${targetFolder}/: those compose features`)]
    const above = ROOMS_ABOVE[folder] ?? []
    if (above.includes(targetFolder))
      return [at(file, node, `web/${folder}/ imports no ${targetFolder}/: pass it as a property or an argument`)]
    return []
  })
}

/** The one platform file that may import each library that opens connections or files (wall 8). */
const LIBRARY_HOMES: Readonly<Record<string, readonly string[]>> = {
  pg: ['server/platform/database/native.ts'],
  '@electric-sql/pglite': ['server/platform/database/embedded.ts'],
  ioredis: ['server/platform/sockets/redis.ts'],
  '@socket.io/redis-adapter': ['server/platform/sockets/socket-relay.ts'],
  // Loaded where telemetry is on, and not at all where it is off.
  '@opentelemetry/api': ['server/platform/process/telemetry.ts'],
  '@opentelemetry/core': ['server/platform/process/telemetry.ts'],
  '@opentelemetry/resources': ['server/platform/process/telemetry.ts'],
  '@opentelemetry/sdk-trace': ['server/platform/process/telemetry.ts'],
  '@opentelemetry/exporter-trace-otlp-http': ['server/platform/process/telemetry.ts'],
}

/** Wall 8: connections live in one platform file each. Types may be imported anywhere in the server. */
export function findStrayConnections(file: SourceFile): Finding[] {
  if (!file.path.startsWith('server/') || isTest(file.path)) return []
  return importsOf(file).flatMap(({ node, specifier }) => {
    const homes = LIBRARY_HOMES[specifier]
    const isTypeOnly = node['importKind'] === 'type' || node['exportKind'] === 'type'
    if (homes === undefined || isTypeOnly || homes.includes(file.path)) return []
    return [at(file, node, `${specifier} is imported by ${homes.join(' and ')} alone: use what that file exports`)]
  })
}

/** Modules that only routes import: the tables of wire calls and the functions that encode answers. */
const FOR_ROUTES: ReadonlyArray<readonly [target: RegExp, name: RegExp]> = [
  [/^contract\//, /^([a-z]\w*E|e)ndpoints$/],
  [/^server\/platform\/http\/(answers|http)\.ts$/, /^(Encoded|encodeData)$/],
  [/^zod(\/mini)?$/, /^(safeE|e)ncode(Async)?$/],
]

/**
 * A route decodes, authorises, commands and encodes; the rest of a feature uses our words. A command whose answer is
 * stored in its transaction gets the encoding function from its route.
 */
export function findEncodingCommands(file: SourceFile): Finding[] {
  if (featureOf(file.path) === null || /[/-]routes\.ts$/.test(file.path) || isTest(file.path)) return []
  const message = 'a route encodes what a command answers: take a function that encodes as an argument'
  const imported = importsOf(file).flatMap(({ node, target }) => {
    const specifiers = Array.isArray(node['specifiers']) ? node['specifiers'].filter(isNode) : []
    const names = specifiers.flatMap((specifier) => nameOf(specifier['imported'] ?? specifier['local']) ?? [])
    return FOR_ROUTES.some(([from, name]) => from.test(target) && names.some((one) => name.test(one)))
      ? [at(file, node, message)]
      : []
  })
  const called = file
    .nodes()
    .filter(({ node }) =>
      ['encode', 'safeEncode', 'encodeAsync', 'safeEncodeAsync'].some((name) => isMember(node, 'z', name)),
    )
  return [...imported, ...called.map(({ node }) => at(file, node, message))]
}
