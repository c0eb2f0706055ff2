import { at, type Finding, isNode, isTest, nameOf, type SourceFile, textOf } from '../source-files.ts'

/** Wall 6: a wire name, and our own word to write instead (docs/glossary.md). */
export const WIRE_NAMES: Readonly<Record<string, string>> = {
  _id: 'id',
  author: 'ownerId or requestedBy',
  bankNumber: 'accountNumber',
  endTime: 'closesAtMs',
  gameType: 'type, a RoundType',
  isPaused: 'isFrozen',
  isWin: 'scriptedOutcome',
  money: 'amountMinor',
  n1: 'openPrice',
  n2: 'closePrice',
  nameBank: 'accountHolder',
  nameOwner: 'bankName',
  oldPassword: 'currentPassword',
  pass: 'withdrawalNote',
  rain: 'countdown',
  rePassword: 'passwordAgain',
  readBy: 'the read marker',
  score: 'balanceMinor or stakeMinor',
  startTime: 'opensAtMs',
  tempId: 'clientMessageId',
  turnNumber: 'roundNumber',
  upToMessageId: 'the read marker',
}

/** Wire values that have our own word; `ADMIN`, `PRICE` and the void reasons are the same on both sides. */
const WIRE_VALUES: Readonly<Record<string, string>> = {
  ACCEPT: 'approved',
  DOWN: 'down',
  IN_PROGRESS: 'pending',
  LOSE: 'lost',
  PROGRESS: 'open',
  REJECT: 'rejected',
  UP: 'up',
  USER: 'player',
  VOID: 'voided',
  WIN: 'won',
}

/** These are ordinary words too: as a variable they may mean anything, as a key or a member they are wire names. */
const PLAIN_WORDS = ['author', 'endTime', 'isPaused', 'money', 'pass', 'rain', 'score', 'startTime']

/** Too common a word to forbid everywhere; as a key in the game it is the wire's name of the direction. */
const inGame = /^(domain|server\/features)\/game\//
const GAME_NAMES: Readonly<Record<string, string>> = { value: 'direction' }

/** Whether a node is a key that we declare, of an object or a type. */
const isOwnKey = (parentType: string, field: string): boolean =>
  ['Property', 'TSPropertySignature', 'PropertyDefinition', 'TSMethodSignature'].includes(parentType) && field === 'key'

/** Sort keys use the clients' names of columns: `const …_SORTS = { money: 'c.amount' }`. */
const sortKeys = (file: SourceFile): ReadonlySet<unknown> =>
  new Set(
    file.nodes().flatMap(({ node }) => {
      const { init } = node
      if (node.type !== 'VariableDeclarator' || nameOf(node['id'])?.endsWith('_SORTS') !== true || !isNode(init))
        return []
      const object = init.type === 'TSAsExpression' ? init['expression'] : init
      return isNode(object) && object.type === 'ObjectExpression'
        ? (object['properties'] as { key: unknown }[]).map(({ key }) => key)
        : []
    }),
  )

type Use = 'key' | 'member' | 'variable'

function insteadOf(file: SourceFile, name: string, use: Use): string | undefined {
  if (Object.hasOwn(WIRE_NAMES, name))
    return use !== 'variable' || !PLAIN_WORDS.includes(name) ? WIRE_NAMES[name] : undefined
  return use === 'key' && inGame.test(file.path) && Object.hasOwn(GAME_NAMES, name) ? GAME_NAMES[name] : undefined
}

/** Wall 6: wire names as keys, members, variables, column names or values stay in contract/. Tests may use them. */
export function findWireWords(file: SourceFile): Finding[] {
  if (!/^(domain|server|web|scripts)\//.test(file.path) || isTest(file.path)) return []
  // The public log has a spelling of its own, hashed byte by byte (docs/open-book.md §2).
  if (/^(domain|server\/features)\/book\//.test(file.path)) return []
  // OpenTelemetry calls the times of its spans as the wire calls those of a round.
  if (file.path === 'server/platform/process/telemetry.ts') return []
  if (file.path.endsWith('.sql')) return findWireColumns(file)
  const stays = 'wire names stay in contract/'
  const allowed = sortKeys(file)
  return file.nodes().flatMap(({ node, parent, field }) => {
    if (allowed.has(node)) return []
    const isMember = parent?.type === 'MemberExpression' && field === 'property'
    const use = parent !== null && isOwnKey(parent.type, field) ? 'key' : isMember ? 'member' : 'variable'
    const name = nameOf(node)
    if (name !== null) {
      const word = insteadOf(file, name, use)
      return word === undefined ? [] : [at(file, node, `${name}: ${stays}; write ${word}`)]
    }
    const text = textOf(node)
    if (text === null || parent === null) return []
    if (use !== 'variable') {
      const word = insteadOf(file, text, use)
      return word === undefined ? [] : [at(file, node, `'${text}': ${stays}; write ${word}`)]
    }
    const word = Object.hasOwn(WIRE_VALUES, text) ? WIRE_VALUES[text] : undefined
    return word === undefined ? [] : [at(file, node, `'${text}': ${stays}; write '${word}'`)]
  })
}

/** Finds camelCase wire names as columns, and wire names that are a single word. */
function findWireColumns(file: SourceFile): Finding[] {
  const columns = Object.entries(WIRE_NAMES).map(
    ([name, word]) => [name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), word] as const,
  )
  const code = file.text.replace(/--.*$|'[^']*'/gm, (blanked) => ' '.repeat(blanked.length))
  return columns.flatMap(([column, word]) =>
    [...code.matchAll(new RegExp(`(?<![\\w.])${column}(?!\\w)`, 'g'))].map((match) =>
      at(file, { start: match.index }, `column ${column}: wire names stay in contract/; write ${word}`),
    ),
  )
}

/** These files contain the words that the rules look for. */
const OWN_FILES = ['checks/rules/words.ts', 'checks/rules/samples.ts']

const LEFTOVERS: ReadonlyArray<readonly [pattern: RegExp, message: string]> = [
  [/\b(TODO|FIXME|XXX|HACK)\b/g, 'finish it, or say what is and why'],
  [/@ts-(ignore|nocheck|expect-error)/g, 'give it its type instead of silencing the compiler'],
  [/\b(oxlint|eslint)-disable(?!.*--)/g, 'say why behind -- or do without'],
]

/** Finds work left for later, and checks that are switched off. */
export function findLeftovers(file: SourceFile): Finding[] {
  if (OWN_FILES.includes(file.path)) return []
  const inText = LEFTOVERS.flatMap(([pattern, message]) =>
    [...file.text.matchAll(pattern)].map((match) => at(file, { start: match.index }, `${match[0]}: ${message}`)),
  )
  const switchedOff = file.nodes().flatMap(({ node }) => {
    if (node.type !== 'MemberExpression') return []
    const [object, property] = [node['object'], nameOf(node['property'])]
    const base = isNode(object) && object.type === 'MemberExpression' ? nameOf(object['object']) : nameOf(object)
    const isOff = ['skip', 'only', 'todo'].includes(property ?? '')
    if (!isOff || !['test', 'it', 'describe', 'suite'].includes(base ?? '')) return []
    return [at(file, node, `${base ?? ''}.${property ?? ''}: a test runs, or it is deleted`)]
  })
  return [...inText, ...switchedOff]
}

/** Files are kebab-case, so that nobody has to look a name up and no file system merges two names. */
export function findWrongFileNames(file: SourceFile): Finding[] {
  if (!/^(domain|contract|server|web|testing|proofs|checks|bench|e2e|scripts)\//.test(file.path)) return []
  const isGood = file.path
    .split('/')
    .every((part) => /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*$/.test(part) || /^\d{4}_[a-z_]+\.sql$/.test(part))
  return isGood ? [] : [at(file, { start: 0 }, 'write the file name in kebab-case')]
}

/** Text that depends on one machine: its folders, and the host from which packages were fetched. */
const MACHINE =
  /(?<![\w.~-])\/(?:work|home|Users|root)\/[\w.-]+|[A-Z]:\\\\?Users|\bregistry\.(?:npmjs|yarnpkg|npmmirror)[\w.]*|https?:\/\/[\w.-]*(?:registry|artifactory|nexus|verdaccio|jfrog)[\w.-]*/g

/** No tracked file names a folder of somebody's machine or a package registry. */
export function findMachinePaths(file: SourceFile): Finding[] {
  if (OWN_FILES.includes(file.path)) return []
  return [...file.text.matchAll(MACHINE)].map((match) =>
    at(file, { start: match.index }, `${match[0]}: name no folder or host of one machine`),
  )
}
