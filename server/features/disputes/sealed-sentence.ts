import { hash, randomBytes } from 'node:crypto'
import { SALT_BYTES } from '#domain/book/opening.ts'

/** Returns SHA-256(salt ‖ the sentence in UTF-8), in base64. */
export const commitmentOfSentence = (salt: Uint8Array, sentence: string): string =>
  hash('sha256', Buffer.concat([salt, Buffer.from(sentence, 'utf8')]), 'base64')

/** Commits to a sentence. The random salt keeps the sentence from being guessed by its hash (docs/open-book.md §2). */
export function sealSentence(sentence: string) {
  const salt = randomBytes(SALT_BYTES)
  return { salt, c: commitmentOfSentence(salt, sentence) }
}
