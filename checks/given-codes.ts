import { refusals } from '#contract/refusals.ts'
import { importsOf, isNode, nameOf, type SourceFile, type SyntaxNode } from './source-files.ts'

/** Finds the refusals that each handler may give: its own, and those of every declaration that it reaches by name. */
interface Declared {
  readonly file: SourceFile
  readonly nodes: readonly SyntaxNode[]
}

export interface Graph {
  /** Resolves a name in a file to its own declarations, or to those that it imports. */
  readonly declared: (file: SourceFile, name: string) => Declared | undefined
  /** Codes that a file uses as values; codes in types are not given. */
  readonly codesIn: (file: SourceFile) => ReadonlySet<string>
}

const DECLARATIONS = ['FunctionDeclaration', 'VariableDeclarator', 'ClassDeclaration']

/** A node and every node below it, except those of types. */
function* valuesBelow(node: SyntaxNode): Generator<SyntaxNode> {
  if (node.type.startsWith('TS') && !/^TS(As|Satisfies|NonNull)/.test(node.type)) return
  yield node
  for (const value of Object.values(node).flat()) if (isNode(value)) yield* valuesBelow(value)
}

const codeOf = (node: SyntaxNode): string[] =>
  node.type === 'Literal' && typeof node['value'] === 'string' && Object.hasOwn(refusals, node['value'])
    ? [node['value']]
    : []

export function createGraph(sources: readonly SourceFile[]): Graph {
  const byPath = new Map(sources.map((file) => [file.path, file]))
  /** The origin of the names that each file imports: a path and the name there. */
  const origins = new Map<SourceFile, ReadonlyMap<string, readonly [path: string, name: string]>>()
  const own = new Map<SourceFile, ReadonlyMap<string, readonly SyntaxNode[]>>()
  for (const file of sources) {
    const from = new Map<string, readonly [path: string, name: string]>()
    for (const { node, target, isOurs } of importsOf(file))
      for (const specifier of (isOurs ? (node['specifiers'] ?? []) : []) as readonly SyntaxNode[]) {
        const isExport = specifier.type === 'ExportSpecifier'
        const local = nameOf(isExport ? specifier['exported'] : specifier['local'])
        const there = nameOf(isExport ? specifier['local'] : specifier['imported'])
        if (local !== null && there !== null) from.set(local, [target, there])
      }
    origins.set(file, from)
    const names = new Map<string, SyntaxNode[]>()
    for (const { node } of file.nodes()) {
      const name = DECLARATIONS.includes(node.type) ? nameOf(node['id']) : null
      if (name !== null) names.set(name, [...(names.get(name) ?? []), node])
    }
    own.set(file, names)
  }

  const declared = (file: SourceFile, name: string): Declared | undefined => {
    const nodes = own.get(file)?.get(name)
    if (nodes !== undefined) return { file, nodes }
    const [path, there] = origins.get(file)?.get(name) ?? []
    const next = path === undefined ? undefined : byPath.get(path)
    return next === undefined || there === undefined ? undefined : declared(next, there)
  }
  return {
    declared,
    codesIn: (file) =>
      new Set(file.nodes().flatMap(({ node, parent }) => (parent?.type === 'TSLiteralType' ? [] : codeOf(node)))),
  }
}

/** Codes that are written in a handler or in any function that it names, followed through any number of files. */
export function codesGivenBy(graph: Graph, file: SourceFile, handler: SyntaxNode): ReadonlySet<string> {
  const codes = new Set<string>()
  const seen = new Set<SyntaxNode>()
  const visit = (home: SourceFile, node: SyntaxNode) => {
    if (seen.has(node)) return
    seen.add(node)
    for (const below of valuesBelow(node)) {
      for (const code of codeOf(below)) codes.add(code)
      const name = nameOf(below)
      const found = name === null ? undefined : graph.declared(home, name)
      for (const next of found?.nodes ?? []) if (found !== undefined) visit(found.file, next)
    }
  }
  visit(file, handler)
  return codes
}
