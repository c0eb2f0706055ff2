/** Finds the usernames after an @ at a word's beginning (docs/rules.md §7.14), in lower case, each once. */

const MENTION = /(?<![\p{L}\p{N}])@([A-Za-z0-9]+)(?![\p{L}\p{N}])/gu

export const mentionedNames = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(MENTION), ([, name = '']) => name.toLowerCase())),
]
