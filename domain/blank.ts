/**
 * Returns whether a text shows nothing: it is empty, or has only spaces, control characters and characters that are
 * drawn as nothing (default ignorable, DI), such as U+200B, a soft hyphen or a direction mark.
 */
export const isBlank = (text: string): boolean => !/[^\s\p{Cc}\p{DI}\u2800\uFFF9-\uFFFB]/u.test(text)

/**
 * Returns the text unchanged; null if it shows nothing, is too long or cannot be stored.
 * @param max limit of the stored text, in UTF-16 units
 */
export const storedText = (text: string, max: number): string | null =>
  isBlank(text) || text.length > max || text.includes('\0') || !text.isWellFormed() ? null : text
