/**
 * True for a text that shows nothing: empty, or made of spaces, control characters and characters that are drawn as
 * nothing (default ignorable, DI), such as U+200B, a soft hyphen or a direction mark.
 */
export const isBlank = (text: string): boolean => !/[^\s\p{Cc}\p{DI}\u2800\uFFF9-\uFFFB]/u.test(text)

/**
 * Returns the text as it is stored; null when it shows nothing, is too long or cannot be stored.
 * @param max limit of the stored text, in UTF-16 units
 */
export const storedText = (text: string, max: number): string | null =>
  isBlank(text) || text.length > max || text.includes('\0') || !text.isWellFormed() ? null : text
