import { fileTypeFromBuffer } from 'file-type'
import sharp, { type Sharp } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { UPLOAD_FRAMES_MAX, UPLOAD_PIXELS_MAX, UPLOAD_SIDE_MAX } from '#contract/files.ts'
import { type Refused, refuse } from '#server/platform/errors.ts'

/** The types that are taken, by what their bytes say, and how each is written again. */
const FORMATS = { 'image/jpeg': 'jpeg', 'image/png': 'png', 'image/gif': 'gif', 'image/webp': 'webp' } as const
export type ImageMime = keyof typeof FORMATS

export interface CleanImage {
  readonly bytes: Uint8Array
  readonly mime: ImageMime
  readonly width: number
  readonly height: number
  readonly thumbhash: string
}

/** A thumbhash is made of at most 100 × 100. */
const THUMB_SIDE = 100
/** Who sends an image that takes longer to draw than this sends a trap. */
const TIMEOUT_S = 2

// One image at a time on one thread: a hostile one must neither take the memory of several nor the cores of the game.
sharp.concurrency(1)
sharp.cache(false)

let queue: Promise<unknown> = Promise.resolve()

/** Reads, judges and rewrites an uploaded image (rules §7); one at a time in this process. */
export function readImage(bytes: Uint8Array): Promise<CleanImage | Refused> {
  const reading = queue.then(() => rewrite(bytes))
  queue = reading.catch(() => {})
  return reading
}

/**
 * The type is what the bytes say, never the name or the header. Limits are judged from the header before anything is
 * drawn; what is written anew holds pixels and nothing else: no EXIF, no second file behind the first.
 */
async function rewrite(bytes: Uint8Array): Promise<CleanImage | Refused> {
  const mime = (await fileTypeFromBuffer(bytes))?.mime
  if (!isImageMime(mime)) return refuse('IMAGE_TYPE')
  const isAnimated = mime === 'image/gif' || mime === 'image/webp'
  const open = (pages: number) =>
    sharp(bytes, { limitInputPixels: UPLOAD_PIXELS_MAX, failOn: 'error', pages, sequentialRead: true })
  try {
    const meta = await sharp(bytes, { limitInputPixels: false, failOn: 'error' }).metadata()
    const { width, height, pages = 1 } = meta
    if (meta.format !== FORMATS[mime]) return refuse('IMAGE_TYPE')
    const frames = isAnimated ? pages : 1
    const isTooLarge =
      width > UPLOAD_SIDE_MAX ||
      height > UPLOAD_SIDE_MAX ||
      frames > UPLOAD_FRAMES_MAX ||
      // A gif of 120 frames is drawn as one picture of 120 heights.
      width * height * frames > UPLOAD_PIXELS_MAX
    if (isTooLarge) return refuse('IMAGE_DIMENSIONS')
    const { data, info } = await encode(open(frames), mime).timeout({ seconds: TIMEOUT_S }).toBuffer({
      resolveWithObject: true,
    })
    const thumb = await sharp(data, { limitInputPixels: UPLOAD_PIXELS_MAX })
      .resize(THUMB_SIDE, THUMB_SIDE, { fit: 'inside', withoutEnlargement: true })
      .ensureAlpha()
      .raw()
      .timeout({ seconds: TIMEOUT_S })
      .toBuffer({ resolveWithObject: true })
    return {
      bytes: data,
      mime,
      width: info.width,
      height: info.pageHeight ?? info.height,
      thumbhash: Buffer.from(rgbaToThumbHash(thumb.info.width, thumb.info.height, thumb.data)).toString('base64'),
    }
  } catch {
    // Cut off, bent, or a trap: sharp's own words help nobody.
    return refuse('IMAGE_BROKEN')
  }
}

const isImageMime = (mime: string | undefined): mime is ImageMime => mime !== undefined && Object.hasOwn(FORMATS, mime)

/** Turned as its camera said, and written anew in its own format. */
function encode(image: Sharp, mime: ImageMime): Sharp {
  switch (mime) {
    case 'image/jpeg':
      return image.autoOrient().jpeg({ quality: 82 })
    case 'image/png':
      return image.autoOrient().png({ compressionLevel: 6 })
    case 'image/gif':
      return image.gif({ effort: 1 })
    case 'image/webp':
      return image.autoOrient().webp({ quality: 82, effort: 1 })
  }
}
