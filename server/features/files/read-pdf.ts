import { cleanFileName } from '#domain/chat/file-name.ts'
import { refuse } from '#server/platform/http/errors.ts'

export const PDF_MIME = 'application/pdf'

/** A PDF must begin with this header. With other bytes before it, programs could take the file for another format. */
const HEADER = /^%PDF-[12]\.\d/
/** The end of a PDF: the offset of its cross-reference table, and the end marker. Whitespace and NULs may follow. */
const TRAILER = /startxref\s+\d+\s+%%EOF[\s\0]*$/
const TRAILER_WITHIN = 1_024

const textIn = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

export const isPdf = (bytes: Uint8Array): boolean => HEADER.test(textIn(bytes.subarray(0, 8)))

/**
 * Accepts a file unchanged if the file ends like a PDF; the caller has checked the beginning by `isPdf`. The content is
 * not checked: PDFs are only saved, not displayed (rules §7.7).
 */
export function readPdf(bytes: Uint8Array, name: string) {
  if (!TRAILER.test(textIn(bytes.subarray(-TRAILER_WITHIN)))) return refuse('PDF_BROKEN')
  return { bytes, mime: PDF_MIME, name: cleanFileName(name) } as const
}
