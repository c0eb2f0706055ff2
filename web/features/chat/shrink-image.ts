import { PIXELS_KEPT_MAX, UPLOAD_BYTES_MAX } from '#contract/files.ts'

/** Those that may move would stand still afterwards. */
const mayMove = (type: string): boolean => type === 'image/gif' || type === 'image/webp'

/**
 * A picture of more bytes than may be sent, such as a phone's largest photo, drawn anew as a JPEG with fewer pixels. The
 * file itself where this browser can't decode it, or where it would not fit all the same.
 */
export async function shrink(file: File): Promise<File> {
  if (!file.type.startsWith('image/') || mayMove(file.type)) return file
  try {
    const bitmap = await createImageBitmap(file)
    const scale = Math.min(1, Math.sqrt(PIXELS_KEPT_MAX / (bitmap.width * bitmap.height)))
    const canvas = document.createElement('canvas')
    canvas.width = Math.floor(bitmap.width * scale)
    canvas.height = Math.floor(bitmap.height * scale)
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    bitmap.close()
    const smaller = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.85))
    if (smaller === null || smaller.size > UPLOAD_BYTES_MAX) return file
    return new File([smaller], file.name, { type: smaller.type })
  } catch {
    return file
  }
}
