import { whereThingsAreKept } from '#web/platform/session.ts'
import {
  at,
  type Finding,
  isMember,
  isNode,
  isTest,
  nameOf,
  type SourceFile,
  type SyntaxNode,
  textOf,
} from '../source-files.ts'

type Check = (node: SyntaxNode, parent: SyntaxNode | null) => boolean
const byNode = (file: SourceFile, check: Check, message: string): Finding[] =>
  file.nodes().flatMap(({ node, parent }) => (check(node, parent) ? [at(file, node, message)] : []))

/** `Date.now`, `new Date()` without an argument, `Date()`. */
const readsClock: Check = (node) => {
  if (isMember(node, 'Date', 'now')) return true
  if (nameOf(node['callee']) !== 'Date') return false
  const hasArguments = Array.isArray(node['arguments']) && node['arguments'].length > 0
  return node.type === 'CallExpression' || (node.type === 'NewExpression' && !hasArguments)
}
const UNPREDICTABLE = [
  'performance',
  'crypto',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'fetch',
  'process',
]
const isAmbient: Check = (node, parent) => {
  const name = nameOf(node)
  if (name === null || !UNPREDICTABLE.includes(name) || parent === null) return false
  const isOthersName =
    (parent.type === 'MemberExpression' && parent['property'] === node && nameOf(parent['object']) !== 'globalThis') ||
    (['Property', 'TSPropertySignature', 'PropertyDefinition'].includes(parent.type) && parent['key'] === node)
  return !isOthersName
}

/** Wall 1: the same input always gives the same decision, so time, ids and randomness are arguments. */
export function findImpureDomain(file: SourceFile): Finding[] {
  if (!/^(domain|contract)\//.test(file.path) || isTest(file.path)) return []
  return [
    ...byNode(file, readsClock, 'domain and contract read no clock: take nowMs as an argument'),
    ...byNode(
      file,
      (node) => isMember(node, 'Math', 'random'),
      'domain and contract draw no lots: take what was drawn as an argument',
    ),
    ...byNode(file, isAmbient, 'domain and contract touch nothing outside themselves: take it as an argument'),
  ]
}

/** What the oldest browsers that we build for lack (scripts/head-plugin.ts): a build lowers syntax, no built-ins. */
const YOUNG: ReadonlyArray<readonly [object: string, property: string]> = [
  ['Map', 'groupBy'],
  ['Object', 'groupBy'],
  ['Promise', 'withResolvers'],
  ['Promise', 'try'],
  ['AbortSignal', 'any'],
  ['Array', 'fromAsync'],
  ['URL', 'parse'],
  ['URL', 'canParse'],
]

export function findYoungBuiltIns(file: SourceFile): Finding[] {
  if (!/^(domain|contract|web)\//.test(file.path) || isTest(file.path)) return []
  return byNode(
    file,
    (node) => YOUNG.some(([object, property]) => isMember(node, object, property)),
    'browsers that the page is built for lack it: write it by hand, such as groupBy of domain/group-by.ts',
  )
}

/** Files that may read the wall clock, each with the reason why no rule depends on it. */
const CLOCK_READERS: Readonly<Record<string, string>> = {
  'server/platform/process/clock.ts': 'the one clock of the server',
  'server/platform/process/process-lock.ts': 'a note for whoever starts a second process; no database is open yet',
  'server/installation/doctor.ts': 'compares this machine’s clock with the database’s and with the age of files',
  'server/commands/witness.ts': 'a witness says when it saw a note; it has no database',
}

/** Wall 8: the wall clock is read in one file of the server, and in platform/ alone in the browser. */
export function findStrayClocks(file: SourceFile): Finding[] {
  if (isTest(file.path)) return []
  if (file.path.startsWith('server/') && CLOCK_READERS[file.path] === undefined)
    return byNode(file, readsClock, 'time is the database’s: take the Clock of platform/clock.ts (rules §2)')
  if (file.path.startsWith('web/') && file.path !== headScript && !file.path.startsWith('web/platform/'))
    return byNode(
      file,
      readsClock,
      'the client follows the server’s time: use serverNowMs of web/platform/server-time.ts, or its deviceNowMs',
    )
  return []
}

/** Wall 8: settings are read once, in one file, with their defaults and allowed values. */
export function findStraySettings(file: SourceFile): Finding[] {
  if (!/^(domain|contract|server|web)\//.test(file.path) || isTest(file.path)) return []
  if (file.path === 'server/platform/process/settings.ts') return []
  return byNode(
    file,
    (node) => isMember(node, 'process', 'env'),
    'read it in server/platform/process/settings.ts and hand it on as an argument',
  )
}

const OPENERS: Readonly<Record<string, string>> = {
  Pool: 'server/platform/database/native.ts',
  Client: 'server/platform/database/native.ts',
  PGlite: 'server/platform/database/embedded.ts',
}

/** Wall 8: each kind of connection is opened in one platform file. */
export function findStrayOpeners(file: SourceFile): Finding[] {
  if (!file.path.startsWith('server/') || isTest(file.path)) return []
  return file.nodes().flatMap(({ node }) => {
    const callee = node['callee']
    const isNew = node.type === 'NewExpression' && isNode(callee)
    const isCreate = node.type === 'CallExpression' && isNode(callee) && isMember(callee, 'PGlite', 'create')
    const opened = isCreate ? 'PGlite' : isNew ? (nameOf(callee) ?? nameOf(callee['property'])) : null
    const home = opened !== null && Object.hasOwn(OPENERS, opened) ? OPENERS[opened] : undefined
    return home === undefined || home === file.path
      ? []
      : [at(file, node, `${opened ?? ''} is opened in ${home} alone`)]
  })
}

/** Statements that begin or end a transaction, anywhere in a text with one or several statements. */
const TRANSACTION_STATEMENT =
  /(?:^|;)\s*(?:begin|start\s+transaction|commit|rollback|abort|savepoint|prepare\s+transaction)\b/i

/** The second one locks a SQLite file against other processes; it is no transaction of the product. */
const TRANSACTION_FILES = ['server/platform/database/transaction.ts', 'server/platform/process/process-lock.ts']

/** Wall 8: only tx() begins and ends a transaction. It pipelines BEGIN and checks COMMIT's answer. */
export function findStrayTransactions(file: SourceFile): Finding[] {
  if (!file.path.startsWith('server/') || isTest(file.path) || TRANSACTION_FILES.includes(file.path)) return []
  return file.nodes().flatMap(({ node, parent }) => {
    const text = textOf(node)
    if (text === null || !TRANSACTION_STATEMENT.test(text)) return []
    // A sentence may begin with one of these words; a statement is an argument of a query call.
    const isQueried = parent?.type === 'CallExpression' && /^(query|exec|send|commitWith)$/.test(calleeName(parent))
    return isQueried ? [at(file, node, 'begin and end transactions through db.tx()')] : []
  })
}

const calleeName = (call: SyntaxNode): string => {
  const callee = call['callee']
  return nameOf(callee) ?? (isNode(callee) ? (nameOf(callee['property']) ?? '') : '')
}

/** One style of separators on a screen: every amount, date and time is formatted by one file. */
export function findStrayFormats(file: SourceFile): Finding[] {
  if (!/^(web|contract|domain)\//.test(file.path) || file.path === 'web/platform/formats.ts' || isTest(file.path))
    return []
  const isWeb = file.path.startsWith('web/')
  const instead = 'write it with web/platform/formats.ts'
  return file.nodes().flatMap(({ node }) => {
    if (node.type !== 'MemberExpression') return []
    const property = nameOf(node['property']) ?? ''
    if (/^toLocale(Date|Time)?String$/.test(property)) return [at(file, node, `${property}: ${instead}`)]
    if (nameOf(node['object']) !== 'Intl') return []
    // The market's hours are in New York's time zone: the domain may compute the hour there, but formats nothing for a
    // person.
    const isForbidden = property === 'NumberFormat' || (isWeb && /^(DateTime|RelativeTime)Format$/.test(property))
    return isForbidden ? [at(file, node, `Intl.${property}: ${instead}`)] : []
  })
}

/** Fields of the browser's own that hand on half a day, or a number that nobody wrote so. */
const OWN_FIELDS: ReadonlySet<unknown> = new Set(['date', 'datetime-local', 'month', 'week', 'number'])
const FIELD_FILES: readonly string[] = ['web/ui/day-field.tsx', 'web/ui/number-input.tsx', 'web/lists/amount-box.tsx']

/** Wall 11: days are chosen, and numbers typed, in one kind of field each. */
export function findStrayFields(file: SourceFile): Finding[] {
  if (!file.path.startsWith('web/') || FIELD_FILES.includes(file.path) || isTest(file.path)) return []
  const valueOf = (node: unknown) => (isNode(node) ? node['value'] : undefined)
  return byNode(
    file,
    (node) =>
      (node.type === 'JSXAttribute' &&
        isNode(node['name']) &&
        node['name']['name'] === 'type' &&
        OWN_FIELDS.has(valueOf(node['value']))) ||
      (node.type === 'ImportDeclaration' && valueOf(node['source']) === 'react-number-format'),
    `use ${FIELD_FILES.slice(0, 2).join(' or ')}`,
  )
}

/** The file of the page's one connection, the file that others use, and the function that encodes our words. */
const SOCKET = { home: 'web/platform/socket-connection.ts', door: 'web/platform/socket.ts', encoder: 'writeEvent' }

/** Wall 6: events of a page are encoded by the contract in the same call that sends them. */
export function findRawEmits(file: SourceFile): Finding[] {
  if (!file.path.startsWith('web/') || isTest(file.path)) return []
  return file.nodes().flatMap(({ node }) => {
    const isOwnFunction = nameOf(node['callee']) !== null
    if (node.type !== 'CallExpression' || isOwnFunction || !/^emit(WithAck)?$/.test(calleeName(node))) return []
    if (file.path !== SOCKET.home) return [at(file, node, `send it with askServer or stayJoined of ${SOCKET.door}`)]
    const [, wire] = node['arguments'] as readonly (SyntaxNode | undefined)[]
    const isEncoded = wire?.type === 'CallExpression' && calleeName(wire) === SOCKET.encoder
    return isEncoded ? [] : [at(file, node, `hand on what ${SOCKET.encoder} makes of the event`)]
  })
}

/**
 * The script in the page's head runs before the page's code, and imports the names of its storage keys as types from
 * web/platform/storage.ts.
 */
const headScript = 'web/boot/head.ts'

/** Browser APIs that store data beyond a page, each with the files that may use it. */
const KEEPERS: Readonly<Record<string, string | readonly string[]>> = {
  localStorage: whereThingsAreKept.localStorage.in,
  sessionStorage: whereThingsAreKept.sessionStorage.in,
  indexedDB: [whereThingsAreKept.indexedDB.in, whereThingsAreKept.bookNotes.in],
  'idb-keyval': [whereThingsAreKept.indexedDB.in, whereThingsAreKept.bookNotes.in],
  pushManager: whereThingsAreKept.pushes.in,
  PushManager: whereThingsAreKept.pushes.in,
  Notification: [whereThingsAreKept.pushes.in, whereThingsAreKept.desktop.in],
  caches: whereThingsAreKept.caches.in,
  cookie: whereThingsAreKept.cookie.in,
  cookieStore: whereThingsAreKept.cookie.in,
}

/** Stores that no file uses, so that nobody has to clear them when a user leaves the device. */
const KEEPERS_OF_NOBODY: ReadonlySet<string> = new Set([
  ...['openDatabase', 'SharedWorker', 'showDirectoryPicker', 'requestFileSystem'],
  ...['PasswordCredential', 'FederatedCredential', 'setAppBadge'],
])

/**
 * No data of one user may stay for the next (rules §7). Each kind of store is accessed in one file, and the table in
 * web/platform/session.ts names that file and the owner of its data. Local storage may also be blocked or full; its
 * file handles that.
 */
export function findStrayStorage(file: SourceFile): Finding[] {
  if (!file.path.startsWith('web/') || isTest(file.path)) return []
  return file.nodes().flatMap(({ node, parent }) => {
    const name = node.type === 'ImportDeclaration' ? textOf(node['source'] as SyntaxNode) : nameOf(node)
    if (name === null) return []
    // Only the document's cookie, not other properties of that name.
    if (name === 'cookie' && !(parent !== null && isMember(parent, 'document', 'cookie'))) return []
    const isPropertyName = parent?.type === 'Property' && parent['key'] === node
    if (isPropertyName) return []
    if (KEEPERS_OF_NOBODY.has(name)) return [at(file, node, `${name} keeps something for the next user: use none`)]
    const homes = [Object.hasOwn(KEEPERS, name) ? (KEEPERS[name] ?? []) : []].flat()
    if (homes.length === 0 || homes.includes(file.path)) return []
    if (file.path === headScript && name === 'localStorage') return []
    // The browser may ask the service worker, without any page, to replace a subscription.
    if (file.path === whereThingsAreKept.caches.in && name === 'pushManager') return []
    return [
      at(file, node, `${name} is used in ${homes.join(' and ')} alone, as the table in web/platform/session.ts says`),
    ]
  })
}

const HEX = /(?<![\w&/-])#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})(?![\w-])/gi
const COLOUR_FUNCTION = /\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\(/gi
const NAMED =
  /(?<=[:\s,])(?:white|black|red|green|blue|yellow|orange|purple|gr[ae]y|silver|gold|pink|brown)(?=\s*[;,)}!]|\s*$)/gim
const PALETTE_CLASS =
  /(?<![\w-])(?:bg|text|border|ring|outline|fill|stroke|from|via|to|divide|decoration|shadow|accent|caret)-(?:(?:slate|gray|zinc|neutral|stone|red|orange|amber|yellow|lime|green|emerald|teal|cyan|sky|blue|indigo|violet|purple|fuchsia|pink|rose)-\d{2,3}|white|black)(?![\w-])/g

/** Colours are tokens: each is defined once, with a light and a dark value and a checked contrast. */
export function findRawColours(file: SourceFile): Finding[] {
  if (!file.path.startsWith('web/') || file.path === 'web/styles/tokens.css' || isTest(file.path)) return []
  const instead = 'name a token of web/styles/tokens.css'
  const inText = (text: string, start: number, patterns: readonly RegExp[]) =>
    patterns.flatMap((pattern) =>
      [...text.matchAll(pattern)].map((match) => at(file, { start: start + match.index }, `${match[0]}: ${instead}`)),
    )
  if (file.path.endsWith('.css')) {
    const code = file.text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    return inText(code, 0, [HEX, COLOUR_FUNCTION, NAMED, PALETTE_CLASS])
  }
  return file.nodes().flatMap(({ node, parent }) => {
    const text = textOf(node)
    const isImport = parent?.['source'] === node
    return text === null || isImport ? [] : inText(text, node.start, [HEX, COLOUR_FUNCTION, PALETTE_CLASS])
  })
}
