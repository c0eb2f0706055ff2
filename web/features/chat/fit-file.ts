import { UPLOAD_BYTES_MAX } from '#contract/files.ts'
import { cleanFileName } from '#domain/chat/file-name.ts'
import { fileTexts } from './file-texts.ts'

/** An image of at most this size is sent unchanged (rules §7.7). */
const quickBytes = 1024 * 1024
/** The most pixels of a redrawn image. A limit on width or height would make long screenshots illegible. */
const pixelsSent = 5_000_000

export const isImage = (file: File): boolean => file.type.startsWith('image/')

/** Returns an image or PDF that can be sent, or the reason why not (spec §5.4). Only the server checks the contents. */
export async function fitFile(file: File): Promise<File | string> {
  // Some devices report no type for some PDFs, so a file whose name ends in .pdf counts as a PDF, too.
  const isPdf = file.type === 'application/pdf' || /\.pdf$/i.test(file.name)
  if (!isPdf && !isImage(file)) return fileTexts.imageTypeRefused
  const fitting = isPdf || file.size <= quickBytes ? file : await shrink(file)
  if (fitting.size > UPLOAD_BYTES_MAX) return fileTexts.tooLarge
  return isPdf ? new File([file], cleanFileName(file.name), { type: 'application/pdf' }) : fitting
}

/** Returns whether an image is animated, or may be for all that this browser can tell. */
async function mayMove(file: File): Promise<boolean> {
  if (file.type !== 'image/gif' && file.type !== 'image/webp') return false
  if (!('ImageDecoder' in globalThis)) return true
  const decoder = new ImageDecoder({ data: file.stream(), type: file.type })
  await decoder.completed
  const frames = decoder.tracks.selectedTrack?.frameCount
  decoder.close()
  return frames !== 1
}

/** Redraws an image with too many pixels or bytes as a smaller JPEG. Returns the file itself if this does not help. */
async function shrink(file: File): Promise<File> {
  try {
    if (await mayMove(file)) return file
    const bitmap = await createImageBitmap(file)
    const scale = Math.min(1, Math.sqrt(pixelsSent / (bitmap.width * bitmap.height)))
    if (scale === 1 && file.size <= UPLOAD_BYTES_MAX) {
      bitmap.close()
      return file
    }
    const canvas = document.createElement('canvas')
    canvas.width = Math.floor(bitmap.width * scale)
    canvas.height = Math.floor(bitmap.height * scale)
    const context = canvas.getContext('2d')
    // A JPEG has no transparency. Without the white background, transparent parts would become black.
    if (context !== null) context.fillStyle = 'white'
    context?.fillRect(0, 0, canvas.width, canvas.height)
    context?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    bitmap.close()
    const smaller = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.85))
    if (smaller === null || smaller.size >= file.size) return file
    return new File([smaller], file.name, { type: smaller.type })
  } catch {
    return file
  }
}
