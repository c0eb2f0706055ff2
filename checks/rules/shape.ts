import { at, type Finding, isNode, nameOf, type SourceFile } from '../source-files.ts'

/** Files whose tool requires a default export. */
const DEFAULT_EXPORTS =
  /(^|\/)[a-z-]+\.config\.(ts|mjs)$|^server\/testing\/global-setup\.ts$|^scripts\/knip-count\.mjs$/

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
