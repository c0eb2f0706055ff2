/** Replaces each `{{name}}` by its value. Throws when a value is missing or unused. */
export function fillTemplate(text: string, values: Readonly<Record<string, string | number>>): string {
  const unused = new Set(Object.keys(values))
  const filled = text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`The template asks for ${name}, which has no value`)
    unused.delete(name)
    return String(value)
  })
  if (unused.size > 0) throw new Error(`The template has no place for ${[...unused].join(', ')}`)
  return filled
}
