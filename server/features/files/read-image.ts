import sharp, { type Sharp } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { UPLOAD_FRAMES_MAX, UPLOAD_PIXELS_MAX, UPLOAD_SIDE_MAX } from '#contract/files.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/errors.ts'
import { createFairQueue, QUEUE_FULL } from '#server/platform/fair-queue.ts'

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
/** Up to here an image is drawn in a lane of its own, where no large one is waited for. */
const QUICK_PIXELS = 4_000_000
/** Who sends an image that takes longer to draw than this sends a trap. A large one may take seconds on a busy machine. */
const QUICK_TIMEOUT_S = 2
const LARGE_TIMEOUT_S = 10

// One thread for each image, and two images at a time: a hostile one must neither take the memory of several nor the
// cores of the game, and two of the four threads that images, files and password hashes share are left.
sharp.concurrency(1)
sharp.cache(false)
// Of some thirty formats, most of them for printers and scientists, only these are ever read.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadNsgif', 'VipsForeignLoadWebp'],
})

/** Headers, by their bytes, and small images, by their pixels. */
const quick = createFairQueue({ concurrent: 1 })
/** Large images, by their pixels: three of the largest for each owner, and what a busy machine draws in half a minute. */
const large = createFairQueue({ concurrent: 1, keyMax: 3 * UPLOAD_PIXELS_MAX, max: 25 * UPLOAD_PIXELS_MAX })

/**
 * Reads, judges and rewrites an uploaded image (rules §7) when it is its owner's turn: fair between owners by pixels,
 * and a small image waits for no large one. Where there is no room it is refused. Rejects when `signal` aborts before
 * the image's turn.
 */
export async function readImage(
  ownerId: string,
  bytes: Uint8Array,
  signal?: AbortSignal,
): Promise<CleanImage | RefusedBy<'uploadFile'>> {
  const header = await quick.run(ownerId, bytes.length, () => readHeader(bytes), signal)
  if (header === QUEUE_FULL) return refuseWaiting()
  if (isRefused(header)) return header
  const pixels = header.width * header.height * header.frames
  const isQuick = pixels <= QUICK_PIXELS
  const lane = isQuick ? quick : large
  const image = await lane.run(ownerId, pixels, () => rewrite(bytes, header, isQuick), signal)
  return image === QUEUE_FULL ? refuseWaiting() : image
}

/** Seconds after which some of the waiting images are drawn. */
const RETRY_AFTER_S = 5

/** There is no room for another image of this owner, or for anybody's. */
export const refuseWaiting = (): RefusedBy<'uploadFile'> => refuse('IMAGES_WAITING', undefined, RETRY_AFTER_S)

interface Header {
  readonly mime: ImageMime
  readonly width: number
  readonly height: number
  readonly frames: number
}

/** The type is what the bytes say, never the name or the header. Limits are judged before anything is drawn. */
async function readHeader(bytes: Uint8Array): Promise<Header | RefusedBy<'uploadFile'>> {
  try {
    const meta = await sharp(bytes, { limitInputPixels: false, failOn: 'error' }).metadata()
    const { format, width, height, pages = 1 } = meta
    const mime = mimeOf(format)
    if (mime === undefined) return refuse('IMAGE_TYPE')
    const isAnimated = mime === 'image/gif' || mime === 'image/webp'
    const frames = isAnimated ? pages : 1
    const isTooLarge =
      width > UPLOAD_SIDE_MAX ||
      height > UPLOAD_SIDE_MAX ||
      frames > UPLOAD_FRAMES_MAX ||
      // A gif of 120 frames is drawn as one picture of 120 heights.
      width * height * frames > UPLOAD_PIXELS_MAX
    return isTooLarge ? refuse('IMAGE_DIMENSIONS') : { mime, width, height, frames }
  } catch (error) {
    // One of the four by its first bytes; of anything else sharp says that it is unsupported, or empty.
    return refuse(String(error).includes('corrupt header') ? 'IMAGE_BROKEN' : 'IMAGE_TYPE')
  }
}

/** What is written anew holds pixels and nothing else: no EXIF, no second file behind the first. */
async function rewrite(
  bytes: Uint8Array,
  { mime, frames }: Header,
  isQuick: boolean,
): Promise<CleanImage | RefusedBy<'uploadFile'>> {
  const timeoutS = isQuick ? QUICK_TIMEOUT_S : LARGE_TIMEOUT_S
  const image = sharp(bytes, {
    limitInputPixels: UPLOAD_PIXELS_MAX,
    failOn: 'error',
    pages: frames,
    sequentialRead: true,
  })
  try {
    const { data, info } = await encode(image, mime, isQuick).timeout({ seconds: timeoutS }).toBuffer({
      resolveWithObject: true,
    })
    const thumb = await sharp(data, { limitInputPixels: UPLOAD_PIXELS_MAX, sequentialRead: true })
      .resize(THUMB_SIDE, THUMB_SIDE, { fit: 'inside', withoutEnlargement: true })
      .ensureAlpha()
      .raw()
      .timeout({ seconds: timeoutS })
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

const mimeOf = (format: string): ImageMime | undefined =>
  (Object.keys(FORMATS) as ImageMime[]).find((mime) => FORMATS[mime] === format)

/** Turned as its camera said, and written anew in its own format. */
function encode(image: Sharp, mime: ImageMime, isQuick: boolean): Sharp {
  switch (mime) {
    case 'image/jpeg':
      // The best codes need the whole picture in memory, 240 MB of the largest, and three times as long.
      return image.autoOrient().jpeg({ quality: 82, optimiseCoding: isQuick })
    case 'image/png':
      return image.autoOrient().png({ compressionLevel: 6 })
    case 'image/gif':
      return image.gif({ effort: 1 })
    case 'image/webp':
      return image.autoOrient().webp({ quality: 82, effort: 1 })
  }
}
