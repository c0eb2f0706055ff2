import { storedText } from '../blank.ts'
import { type Decision, refuse } from '../decision.ts'

/** Tags of conversations, which only staff see (docs/rules.md §7.18). */

export const TAGS_MAX = 10
export const TAG_MAX = 30

type TagRefusal = 'TAG_INVALID' | 'TOO_MANY_TAGS'

/** Returns a tag as stored and compared: lower case, NFC, with single spaces. Null if the text is no valid tag. */
export function cleanTag(given: string): string | null {
  const tag = given.toLowerCase().normalize('NFC').trim().replaceAll(/\s+/g, ' ')
  return /\p{Cc}/u.test(tag) ? null : storedText(tag, TAG_MAX)
}

/** Returns the new tags, sorted. A change names only the tags to add and to remove, so it undoes no colleague's. */
export function decideTags(
  known: readonly string[],
  change: { readonly add: readonly string[]; readonly remove: readonly string[] },
): Decision<{ tags: readonly string[] }, TagRefusal> {
  const [added, removed] = [change.add.map(cleanTag), change.remove.map(cleanTag)]
  if ([...added, ...removed].includes(null)) return refuse('TAG_INVALID')
  const kept = known.filter((tag) => !removed.includes(tag))
  const tags = [...new Set([...kept, ...(added as string[])])].toSorted()
  return tags.length > TAGS_MAX ? refuse('TOO_MANY_TAGS') : { ok: true, tags }
}
