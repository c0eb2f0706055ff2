import { cleanFileName } from '#domain/chat/file-name.ts'
import { refuse } from '#server/platform/http/errors.ts'

export const PDF_MIME = 'application/pdf'

/**
 * The header must be the first bytes. If other bytes came first, other programs could take the file for the format of
 * those bytes.
 */
const HEADER = /^%PDF-[12]\.\d/
/** The end of a PDF, with the place of its cross-references; only whitespace may follow. */
const TRAILER = /startxref\s+\d+\s+%%EOF[\s\0]*$/
const TRAILER_WITHIN = 1_024

const textIn = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

export const isPdf = (bytes: Uint8Array): boolean => HEADER.test(textIn(bytes.subarray(0, 8)))

/**
 * Accepts a PDF unchanged if it ends like one; the caller has checked its first bytes by `isPdf` (rules §7.7). The
 * bytes between are never examined: an encrypted PDF is accepted like any other, and whatever a PDF may do, it does
 * only on a device that saves it.
 */
export function readPdf(bytes: Uint8Array, name: string) {
  if (!TRAILER.test(textIn(bytes.subarray(-TRAILER_WITHIN)))) return refuse('PDF_BROKEN')
  return { bytes, mime: PDF_MIME, name: cleanFileName(name) } as const
}
