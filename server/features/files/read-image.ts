import sharp, { type Sharp } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import {
  PHOTO_PIXELS_MAX,
  PIXELS_KEPT_MAX,
  UPLOAD_FRAMES_MAX,
  UPLOAD_PIXELS_MAX,
  UPLOAD_SIDE_MAX,
} from '#contract/files.ts'
import type { ImageFacts } from '#domain/chat/conversation.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { createFairQueue, QUEUE_FULL } from '#server/platform/http/fair-queue.ts'

const MIMES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const
export type ImageMime = (typeof MIMES)[number]

export interface CleanImage extends ImageFacts {
  readonly bytes: Uint8Array
  readonly mime: ImageMime
}

const THUMB_SIDE = 100
/** Images up to this size have a queue of their own, so that they do not wait for large images. */
const QUICK_PIXELS = 4_000_000
/** An image that takes longer than this to decode and encode is refused as broken. */
const QUICK_TIMEOUT_S = 2
const LARGE_TIMEOUT_S = 10

// Each image gets one thread, and the two queues below run one image each at a time, so that uploads take at most two
// threads and the memory of two images.
sharp.concurrency(1)
sharp.cache(false)
// sharp can read many formats: only the four accepted ones stay enabled.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadNsgif', 'VipsForeignLoadWebp'],
})

const quick = createFairQueue({ concurrent: 1 })
/** The queue of large images. It has room for three images of `UPLOAD_PIXELS_MAX` of one owner, and for 25 in all. */
const large = createFairQueue({ concurrent: 1, keyMax: 3 * UPLOAD_PIXELS_MAX, max: 25 * UPLOAD_PIXELS_MAX })

/**
 * Checks and rewrites an uploaded image (rules §7.7). Images wait in queues, which serve their owners in turn. Refuses
 * an image if its queue has no room, or if its place goes to another owner. Rejects if `signal` aborts during the wait.
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

const RETRY_AFTER_S = 5

export const refuseWaiting = (): RefusedBy<'uploadFile'> => refuse('IMAGES_WAITING', undefined, RETRY_AFTER_S)

interface Header {
  readonly mime: ImageMime
  /** Width and height are those of the picture turned by its EXIF orientation. */
  readonly width: number
  readonly height: number
  readonly frames: number
}

/** Reads type and size from the bytes, and checks the limits before any pixel is decoded. */
async function readHeader(bytes: Uint8Array): Promise<Header | RefusedBy<'uploadFile'>> {
  try {
    const meta = await sharp(bytes, { limitInputPixels: false, failOn: 'error' }).metadata()
    const { format, isProgressive, pages = 1 } = meta
    const { width, height } = meta.autoOrient
    const mime = MIMES.find((one) => one === `image/${format}`)
    if (mime === undefined) return refuse('IMAGE_TYPE')
    const isAnimated = mime === 'image/gif' || mime === 'image/webp'
    const frames = isAnimated ? pages : 1
    const isTooLarge =
      width > UPLOAD_SIDE_MAX ||
      height > UPLOAD_SIDE_MAX ||
      frames > UPLOAD_FRAMES_MAX ||
      // A gif of 120 frames is decoded as one picture of 120 times the height, so the pixels of all frames count.
      width * height * frames > (mime === 'image/jpeg' && !isProgressive ? PHOTO_PIXELS_MAX : UPLOAD_PIXELS_MAX)
    return isTooLarge ? refuse('IMAGE_DIMENSIONS') : { mime, width, height, frames }
  } catch (error) {
    // sharp reports a corrupt header only for a file that begins like one of the four types.
    return refuse(String(error).includes('corrupt header') ? 'IMAGE_BROKEN' : 'IMAGE_TYPE')
  }
}

/** The end marker of a JPEG, which some apps leave out (rules §7.7). */
const JPEG_END = Uint8Array.of(0xff, 0xd9)

async function rewrite(bytes: Uint8Array, header: Header, isQuick: boolean) {
  try {
    return await rewriteWhole(bytes, header, isQuick).catch((error: unknown) => {
      if (!String(error).includes('premature end of JPEG')) throw error
      // With the end marker appended, the decoder only warns of missing pixels, so a warning counts as a failure too.
      return rewriteWhole(Buffer.concat([bytes, JPEG_END]), header, isQuick, 'warning')
    })
  } catch {
    return refuse('IMAGE_BROKEN')
  }
}

/** Encodes an image anew, so that no EXIF data and no bytes after the image remain. */
async function rewriteWhole(
  bytes: Uint8Array,
  header: Header,
  isQuick: boolean,
  failOn: 'error' | 'warning' = 'error',
) {
  const { mime, frames } = header
  const timeoutS = isQuick ? QUICK_TIMEOUT_S : LARGE_TIMEOUT_S
  const image = sharp(bytes, { limitInputPixels: PHOTO_PIXELS_MAX, failOn, pages: frames, sequentialRead: true })
  const { data, info } = await encode(fitted(image, header), mime, isQuick).timeout({ seconds: timeoutS }).toBuffer({
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
}

/** Turns a still image by its EXIF orientation, and limits its pixels. Leaves an animation as it is (rules §7.7). */
function fitted(image: Sharp, { width, height, frames }: Header): Sharp {
  if (frames > 1) return image
  const turned = image.autoOrient()
  const scale = Math.sqrt(PIXELS_KEPT_MAX / (width * height))
  return scale >= 1 ? turned : turned.resize(Math.floor(width * scale), Math.floor(height * scale), { fit: 'fill' })
}

function encode(image: Sharp, mime: ImageMime, isQuick: boolean): Sharp {
  switch (mime) {
    case 'image/jpeg':
      // Only quick images get optimised Huffman codes, which take much memory and time for a large image.
      return image.jpeg({ quality: 82, optimiseCoding: isQuick })
    case 'image/png':
      return image.png({ compressionLevel: 6 })
    case 'image/gif':
      return image.gif({ effort: 1 })
    case 'image/webp':
      return image.webp({ quality: 82, effort: 1 })
  }
}
