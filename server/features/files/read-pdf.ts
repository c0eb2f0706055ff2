import { cleanFileName } from '#domain/chat/file-name.ts'
import { refuse } from '#server/platform/http/errors.ts'

export const PDF_MIME = 'application/pdf'

/** The header must come first: after other bytes, other programs could take the file for the format of those. */
const HEADER = /^%PDF-[12]\.\d/
/** The end of a PDF, with the place of its cross-references; only whitespace may follow. */
const TRAILER = /startxref\s+\d+\s+%%EOF[\s\0]*$/
const TRAILER_WITHIN = 1_024

const textIn = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

export const isPdf = (bytes: Uint8Array): boolean => HEADER.test(textIn(bytes.subarray(0, 8)))

/**
 * Accepts a PDF unchanged if it ends like one; the caller has checked its first bytes by `isPdf` (rules §7.7). Other
 * bytes are not examined: an encrypted PDF passes like any other, and a PDF acts only on a device that saves it.
 */
export function readPdf(bytes: Uint8Array, name: string) {
  if (!TRAILER.test(textIn(bytes.subarray(-TRAILER_WITHIN)))) return refuse('PDF_BROKEN')
  return { bytes, mime: PDF_MIME, name: cleanFileName(name) } as const
}
