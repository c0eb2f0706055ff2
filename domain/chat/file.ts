/** A file in a message beside a picture: a PDF, which nobody opens here (docs/rules.md §7.7). */

export interface FileFacts {
  readonly url: string
  readonly name: string
  readonly bytes: number
}

/** The text of a file's message: in lists, quotes, searches and transcripts, and for clients that know no files. */
export const fileText = (name: string): string => `[tệp: ${name}]`
