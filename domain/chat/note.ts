/** Notes of staff in a conversation (docs/rules.md §7.14). Its player never gets any of them. */

const MENTION = /(?<![\p{L}\p{N}])@([A-Za-z0-9]+)(?![\p{L}\p{N}])/gu

/** The usernames after an @ at a word's beginning, in lower case, each once. Whether somebody has them is not known here. */
export const mentionedNames = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(MENTION), ([, name = '']) => name.toLowerCase())),
]
