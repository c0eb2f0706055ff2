import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

export const root = fileURLToPath(new URL('../', import.meta.url))

export const TIERS = [
  'domain',
  'contract',
  'server',
  'web',
  'testing',
  'proofs',
  'bench',
  'checks',
  'e2e',
  'scripts',
] as const
export type Tier = (typeof TIERS)[number]

/** A node of the syntax tree, whatever its kind. */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

export interface PlacedNode {
  readonly node: SyntaxNode
  readonly parent: SyntaxNode | null
  /** The name of the parent's field that holds the node. */
  readonly field: string
}

/** One file as the rules read it. */
export interface SourceFile {
  /** Relative to the package's folder, with slashes. */
  readonly path: string
  readonly text: string
  /** Every node of a TypeScript or JavaScript file, parents before children; nothing for other files. */
  readonly nodes: () => readonly PlacedNode[]
  /** The 1-based line of an offset. */
  readonly lineAt: (offset: number) => number
}

export interface Finding {
  readonly path: string
  readonly line: number
  /** What is wrong and what to write instead. */
  readonly message: string
}

const isCode = (path: string) => /\.(ts|tsx|mjs|js)$/.test(path)
export const isTest = (path: string) => /\.test\.tsx?$/.test(path) || /^(web\/)?testing\//.test(path)

export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

function flatten(program: SyntaxNode): PlacedNode[] {
  const placed: PlacedNode[] = []
  const visit = (node: SyntaxNode, parent: SyntaxNode | null, field: string) => {
    placed.push({ node, parent, field })
    for (const name of Object.keys(node)) {
      const value = node[name]
      if (Array.isArray(value)) for (const item of value) if (isNode(item)) visit(item, node, name)
      if (isNode(value)) visit(value, node, name)
    }
  }
  visit(program, null, '')
  return placed
}

/** A file from its path and text; a rule's samples are made this way too. */
export function sourceFile(path: string, text: string): SourceFile {
  let nodes: readonly PlacedNode[] | null = null
  return {
    path,
    text,
    nodes() {
      if (nodes !== null) return nodes
      if (!isCode(path)) return (nodes = [])
      const { program, errors } = parseSync(path, text)
      if (errors.length > 0) throw new SyntaxError(`${path} cannot be read: ${errors[0]?.message ?? ''}`)
      return (nodes = flatten(program as unknown as SyntaxNode))
    },
    lineAt: (offset) => text.slice(0, offset).split('\n').length,
  }
}

export const at = (file: SourceFile, node: { readonly start: number }, message: string): Finding => ({
  path: file.path,
  line: file.lineAt(node.start),
  message,
})

/** Every file below a folder of the package, sorted; nothing where there is no such folder. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(posix.join(root, folder))) return []
  return readdirSync(posix.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.relative(root, posix.join(entry.parentPath, entry.name)))
    .toSorted()
}

/**
 * Files that git tracks or would add; null where the package is outside a repository, such as in an unpacked archive.
 */
export function gitFiles(): string[] | null {
  if (!existsSync(posix.join(root, '.git'))) return null
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .split('\0')
    .filter((path) => path !== '' && existsSync(posix.join(root, path)))
    .toSorted()
}

export const readSource = (path: string): SourceFile => sourceFile(path, readFileSync(posix.join(root, path), 'utf8'))

/** The text of a string literal or of a template, with gaps as `?`; null for every other node. */
export function textOf(node: SyntaxNode): string | null {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : null
  if (node.type !== 'TemplateLiteral') return null
  const quasis = node['quasis'] as ReadonlyArray<{ readonly value: { readonly cooked: string | null } }>
  return quasis.map(({ value }) => value.cooked ?? '').join('?')
}

/** The strings, templates and JSX of a file; of a file that is no code, its whole text. */
export function textsOf(file: SourceFile): ReadonlyArray<{ readonly start: number; readonly text: string }> {
  const nodes = file.nodes()
  if (nodes.length === 0) return [{ start: 0, text: file.text }]
  return nodes.flatMap(({ node, field }) => {
    const text = node.type === 'JSXText' ? String(node['value']) : textOf(node)
    return text === null || field === 'source' ? [] : [{ start: node.start, text }]
  })
}

export const nameOf = (value: unknown): string | null =>
  isNode(value) && (value.type === 'Identifier' || value.type === 'PrivateIdentifier')
    ? (value['name'] as string)
    : null

/** Whether a node is `object.property`, such as Date.now, also through globalThis. */
export function isMember(node: SyntaxNode, object: string, property: string): boolean {
  if (node.type !== 'MemberExpression' || nameOf(node['property']) !== property) return false
  const owner = node['object']
  return nameOf(owner) === object || (isNode(owner) && isMember(owner, 'globalThis', object))
}

/** An import, re-export, dynamic import or imported type; our own targets are resolved to a path. */
export interface Import {
  readonly node: SyntaxNode
  readonly specifier: string
  /** A path of the package, or the specifier itself for a library. */
  readonly target: string
  readonly isOurs: boolean
}

export function importsOf(file: SourceFile): Import[] {
  return file.nodes().flatMap(({ node }) => {
    const isImport = [
      'ImportDeclaration',
      'ExportNamedDeclaration',
      'ExportAllDeclaration',
      'ImportExpression',
      'TSImportType',
    ]
    const source = node['source']
    if (!isImport.includes(node.type) || !isNode(source)) return []
    const specifier = textOf(source)
    if (specifier === null) return []
    const isRelative = /^\.\.?\//.test(specifier)
    const isAlias = /^#(domain|contract|server|web|testing)\//.test(specifier)
    const target = isRelative
      ? posix.join(posix.dirname(file.path), specifier)
      : isAlias
        ? specifier.slice(1)
        : specifier
    return [{ node, specifier, target, isOurs: isRelative || isAlias }]
  })
}
