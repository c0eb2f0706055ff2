/**
 * Finds the usernames after an @ at the beginning of a word in a note of staff (docs/rules.md §7.14): in lower case,
 * each once. Whether accounts with these names exist is not known here.
 */

const MENTION = /(?<![\p{L}\p{N}])@([A-Za-z0-9]+)(?![\p{L}\p{N}])/gu

export const mentionedNames = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(MENTION), ([, name = '']) => name.toLowerCase())),
]
