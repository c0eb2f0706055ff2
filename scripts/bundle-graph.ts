/** Returns the names that can be reached, including the starts, each once and in the order of the walk. */
export function reach(starts: readonly string[], nextOf: (name: string) => readonly string[]): ReadonlySet<string> {
  const reached = new Set<string>()
  const visit = (name: string) => {
    if (reached.has(name)) return
    reached.add(name)
    for (const next of nextOf(name)) visit(next)
  }
  for (const start of starts) visit(start)
  return reached
}
