import {
  at,
  type Finding,
  isMember,
  isNode,
  isTest,
  nameOf,
  type SourceFile,
  type SyntaxNode,
} from '../source-files.ts'

/** Files whose tool requires a default export. */
const DEFAULT_EXPORTS =
  /(^|\/)[a-z-]+\.config\.(ts|mjs)$|^testing\/database\/global-setup\.ts$|^scripts\/knip-count\.mjs$/

/** Wall 9: a name is the same everywhere it is imported. */
export function findDefaultExports(file: SourceFile): Finding[] {
  if (DEFAULT_EXPORTS.test(file.path)) return []
  return file.nodes().flatMap(({ node }) => {
    const isDefault =
      node.type === 'ExportDefaultDeclaration' ||
      (node.type === 'ExportSpecifier' && nameOf(node['exported']) === 'default')
    return isDefault ? [at(file, node, 'export it by name: only config files have a default export')] : []
  })
}

/**
 * Wall 9: a file that only re-exports hides where things are. A server feature's index.ts is its entrance and the only
 * exception.
 */
export function findBarrels(file: SourceFile): Finding[] {
  if (/^server\/features\/[^/]+\/index\.ts$/.test(file.path)) {
    return file
      .nodes()
      .flatMap(({ node }) =>
        node.type === 'ExportAllDeclaration' ? [at(file, node, 'name what the feature gives: no export *')] : [],
      )
  }
  const body = file.nodes().filter(({ field, parent }) => parent?.type === 'Program' && field === 'body')
  const handsOn = body.filter(({ node }) => /^Export(Named|All)Declaration$/.test(node.type) && isNode(node['source']))
  const isBarrel = handsOn.length > 0 && handsOn.length === body.length
  const star = handsOn.filter(({ node }) => node.type === 'ExportAllDeclaration')
  const first = isBarrel ? handsOn[0] : star[0]
  return first === undefined ? [] : [at(file, first.node, 'no barrel: import from the file that has it')]
}

const partsOf = (node: SyntaxNode): SyntaxNode[] =>
  ['consequent', 'alternate', 'right'].flatMap((name) => (isNode(node[name]) ? [node[name]] : []))
const comesAndGoes = ({ type }: SyntaxNode) => type === 'LogicalExpression' || type === 'ConditionalExpression'

/** The name at the root of `texts.a.b(c)`. */
function rootOf(node: SyntaxNode): string {
  const inner = node['object'] ?? node['callee']
  return isNode(inner) ? rootOf(inner) : (nameOf(node) ?? '')
}

function isTextNode(node: SyntaxNode): boolean {
  if (node.type === 'JSXText') return String(node['value']).trim() !== ''
  if (comesAndGoes(node)) return partsOf(node).some(isTextNode)
  if (node.type === 'TemplateLiteral') return true
  if (node.type === 'Literal') return typeof node['value'] === 'string' && node['value'].trim() !== ''
  return /^(MemberExpression|CallExpression)$/.test(node.type) && /[tT]exts$|[wW]ords$|^format[A-Z]/.test(rootOf(node))
}

/**
 * Wall 11: a translator replaces each text by another node. React then finds no text to remove, nor one to put
 * something before, and the screen is lost. So a text needs an element of its own when it comes and goes beside others,
 * when it follows something that comes and goes, or when it goes with its fragment.
 */
export function findLooseTexts(file: SourceFile): Finding[] {
  if (!/^web\/.*\.tsx$/.test(file.path) || isTest(file.path)) return []
  return file.nodes().flatMap(({ node }) => {
    if (node.type !== 'JSXElement' && node.type !== 'JSXFragment') return []
    const children = (node['children'] as SyntaxNode[])
      .map((child) => (child.type === 'JSXExpressionContainer' ? (child['expression'] as SyntaxNode) : child))
      .filter((child) => child.type !== 'JSXEmptyExpression' && !(child.type === 'JSXText' && !isTextNode(child)))
    const isFragment = node.type === 'JSXFragment'
    return children.flatMap((child, index) => {
      if (!isTextNode(child) || (children.length === 1 && !isFragment)) return []
      const isAfter = children.slice(0, index).some((before) => comesAndGoes(before) && !isTextNode(before))
      const mayGo = child['operator'] === '&&' || !partsOf(child).every(isTextNode)
      const isLoose = isFragment || isAfter || (comesAndGoes(child) && mayGo)
      return isLoose ? [at(file, child, 'put this text into an element of its own: a translator replaces it')] : []
    })
  })
}

/** Schemas of zod that take a text as it comes. */
const BARE_TEXTS = ['string', 'stringFormat', 'templateLiteral', 'unknown', 'any', 'coerce']

/** Wall 6: every text of the wire is one that can be stored (rules §6.2), so one file has the schema of a text. */
export function findBareTexts(file: SourceFile): Finding[] {
  if (!file.path.startsWith('contract/') || file.path === 'contract/codecs.ts' || isTest(file.path)) return []
  return file.nodes().flatMap(({ node }) => {
    const isBare = BARE_TEXTS.some((name) => isMember(node, 'z', name))
    const isByName = node.type === 'ImportSpecifier' && BARE_TEXTS.includes(nameOf(node['imported']) ?? '')
    return isBare || isByName ? [at(file, node, 'take text or json of contract/codecs.ts')] : []
  })
}
