/** Returns all names that can be reached from `starts`, including `starts`, in depth-first order. */
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
