/** A file in a message beside a picture: a PDF, which nobody opens here (docs/rules.md §7.7). */

export interface FileFacts {
  /** Empty until it is stored. */
  readonly url: string
  readonly name: string
  readonly bytes: number
}

/** What its message says as a text: in lists, quotes, searches and transcripts, and to a client that knows no files. */
export const fileText = (name: string): string => `[tệp: ${name}]`
