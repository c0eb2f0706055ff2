import { at, type Finding, type Import, importsOf, type SourceFile } from '../source-files.ts'

/**
 * Wall 9: files that import each other, directly or through others. `import()` and types count here, which the linter
 * leaves out: files in such a circle cannot be understood one at a time either.
 * @returns one finding for each circle, at the import that closes it
 */
export function findCircles(files: readonly SourceFile[]): Finding[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const edges = new Map<string, Import[]>(
    files.map((file) => [file.path, importsOf(file).filter(({ target }) => byPath.has(target))]),
  )
  const findings: Finding[] = []
  for (;;) {
    dropLeaves(edges)
    const first = edges.keys().next().value
    if (first === undefined) return findings
    // Every remaining file imports a remaining one, so following the imports leads back to a visited file.
    const path = [first]
    for (;;) {
      const from = path.at(-1) ?? first
      const step = edges.get(from)?.[0]
      const file = byPath.get(from)
      if (step === undefined || file === undefined) throw new Error(`${from} leads nowhere`)
      const closesAt = path.indexOf(step.target)
      path.push(step.target)
      if (closesAt === -1) continue
      const circle = path.slice(closesAt).join(' → ')
      findings.push(at(file, step.node, `a circle: ${circle}. Move what both need to the end of the chain`))
      edges.set(from, (edges.get(from) ?? []).slice(1))
      break
    }
  }
}

/** Removes files that import no remaining file, until there are none. */
function dropLeaves(edges: Map<string, Import[]>): void {
  for (let before = -1; before !== edges.size;) {
    before = edges.size
    for (const [path, imports] of edges) {
      const kept = imports.filter(({ target }) => edges.has(target))
      if (kept.length === 0) edges.delete(path)
      else edges.set(path, kept)
    }
  }
}
