/**
 * Returns whether a text is empty, or has only spaces, control characters and characters that are drawn as nothing,
 * such as U+200B or a direction mark (rules §6.1).
 */
export const isBlank = (text: string): boolean => !/[^\s\p{Cc}\p{DI}\u2800\uFFF9-\uFFFB]/u.test(text)

/** Returns the text unchanged; null if it is blank, longer than `max` UTF-16 units, or has NUL or a lone surrogate. */
export const storedText = (text: string, max: number): string | null =>
  isBlank(text) || text.length > max || text.includes('\0') || !text.isWellFormed() ? null : text
