/** A PDF in a message (docs/rules.md §7.7). */

export interface FileFacts {
  readonly url: string
  readonly name: string
  readonly bytes: number
}

/** The text for a file in lists, quotes, searches and transcripts, and in clients that do not know files. */
export const fileText = (name: string): string => `[tệp: ${name}]`
