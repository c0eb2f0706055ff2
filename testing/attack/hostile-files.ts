import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { pdfOf } from './pdf.ts'

export interface HostileFile {
  readonly name: string
  readonly bytes: Uint8Array
  /** `OK`, or the code of the refusal. */
  readonly verdict: 'OK' | 'IMAGE_TYPE' | 'IMAGE_BROKEN' | 'IMAGE_DIMENSIONS' | 'IMAGE_TOO_LARGE' | 'PDF_BROKEN'
}

const crcTable = Array.from({ length: 256 }, (_, n) => {
  let c = n
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
  return c >>> 0
})
const crc32 = (bytes: Uint8Array): number => {
  let c = 0xffffffff
  for (const byte of bytes) c = (crcTable[(c ^ byte) & 0xff] ?? 0) ^ (c >>> 8)
  return (c ^ 0xffffffff) >>> 0
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const out = Buffer.alloc(body.length + 8)
  out.writeUInt32BE(data.length, 0)
  body.copy(out, 4)
  out.writeUInt32BE(crc32(body), body.length + 4)
  return out
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** A PNG with this size in its header, and with `rows` rows of pixels. */
function pngOf(width: number, height: number, rows: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const row = Math.ceil(width / 8) + 1
  return Buffer.concat([
    PNG,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(Math.min(row * rows, 64_000_000)))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A GIF with this many frames, each of the header's size. */
function gifOf(width: number, height: number, frames: number): Buffer {
  const screen = Buffer.alloc(7)
  screen.writeUInt16LE(width, 0)
  screen.writeUInt16LE(height, 2)
  screen[4] = 0x80
  const frame = Buffer.from([0x21, 0xf9, 4, 0, 1, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])
  frame.writeUInt16LE(width, 13)
  frame.writeUInt16LE(height, 15)
  return Buffer.concat([
    Buffer.from('GIF89a'),
    screen,
    Buffer.from([0, 0, 0, 255, 255, 255]),
    ...Array.from({ length: frames }, () => frame),
    Buffer.from([0x3b]),
  ])
}

/** Files that an attacker or a faulty phone might send, with the verdict that each must get. */
export async function hostileFiles(): Promise<HostileFile[]> {
  const plain = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: { r: 200, g: 150, b: 40 } } })
  const [jpeg, png, gif, webp, avif, tiff] = await Promise.all([
    plain(64, 48).jpeg().toBuffer(),
    plain(64, 48).png().toBuffer(),
    plain(64, 48).gif().toBuffer(),
    plain(64, 48).webp().toBuffer(),
    plain(64, 48).avif({ effort: 0 }).toBuffer(),
    plain(64, 48).tiff().toBuffer(),
  ])
  const files: HostileFile[] = []
  const add = (verdict: HostileFile['verdict'], name: string, bytes: Uint8Array) => files.push({ name, bytes, verdict })
  const text = (value: string) => Buffer.from(value)
  const pdf = pdfOf()
  const script = '<script>alert(document.cookie)</script>'

  // Files of other types, also under names of allowed ones.
  const others: ReadonlyArray<readonly [string, Uint8Array]> = [
    ['svg', text(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`)],
    [
      'svg with an entity',
      text(`<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>`),
    ],
    ['html', text(`<!doctype html>${script}`)],
    ['html after blanks', text(`\n\n   <html>${script}</html>`)],
    ['javascript', text('fetch("https://example.org")')],
    ['php', text('<?php system($_GET["c"]); ?>')],
    ['shell', text('#!/bin/sh\nrm -rf /\n')],
    ['pdf behind a page', Buffer.concat([text(script), pdf])],
    ['pdf behind a byte', Buffer.concat([text('\n'), pdf])],
    ['pdf of no version', text('%PDF-x.y\nstartxref\n0\n%%EOF')],
    ['zip', Buffer.concat([text('PK\x03\x04'), Buffer.alloc(60)])],
    ['elf', Buffer.concat([Buffer.from([0x7f]), text('ELF'), Buffer.alloc(60)])],
    ['exe', Buffer.concat([text('MZ'), Buffer.alloc(200)])],
    ['empty', Buffer.alloc(0)],
    ['one byte', Buffer.from([0xff])],
    ['zeros', Buffer.alloc(4096)],
    ['avif', avif],
    ['tiff', tiff],
    ['bmp', Buffer.concat([text('BM'), Buffer.alloc(100)])],
    ['ico', Buffer.concat([Buffer.from([0, 0, 1, 0, 1, 0]), Buffer.alloc(100)])],
    ['psd', Buffer.concat([text('8BPS'), Buffer.alloc(100)])],
    ['mp4', Buffer.concat([Buffer.from([0, 0, 0, 24]), text('ftypisom'), Buffer.alloc(100)])],
    ['webm', Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.alloc(100)])],
    ['mp3', Buffer.concat([text('ID3'), Buffer.alloc(100)])],
    ['flac', Buffer.concat([text('fLaC'), Buffer.alloc(60)])],
    ['gzip', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])],
    ['jpeg xl', Buffer.from([0xff, 0x0a, 0, 0, 0, 0, 0, 0])],
    ['wav in riff', Buffer.concat([text('RIFF\x24\0\0\0WAVEfmt '), Buffer.alloc(40)])],
  ]
  for (const [name, bytes] of others) add('IMAGE_TYPE', name, bytes)

  // The right first bytes, followed by wrong ones.
  add('IMAGE_BROKEN', 'jpeg magic alone', Buffer.from([0xff, 0xd8, 0xff, 0xe0]))
  add('IMAGE_BROKEN', 'jpeg magic and html', Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), text(script)]))
  add('IMAGE_BROKEN', 'gif magic alone', text('GIF89a'))
  add('IMAGE_BROKEN', 'gif magic and javascript', text('GIF89a/*' + 'a'.repeat(50) + '*/=1;alert(1)'))
  add('IMAGE_BROKEN', 'webp magic alone', text('RIFF\x24\0\0\0WEBPVP8 '))
  add('IMAGE_BROKEN', 'half a jpeg', jpeg.subarray(0, jpeg.length / 2))
  add('IMAGE_BROKEN', 'a jpeg without its last 40 bytes', jpeg.subarray(0, -40))
  add('IMAGE_BROKEN', 'half a png', (await noise(300, 300)).subarray(0, 40_000))
  add('IMAGE_BROKEN', 'a webp cut short', webp.subarray(0, 30))
  add('IMAGE_BROKEN', 'a png with a bent checksum', bent(await noise(80, 80), 200))
  add('IMAGE_BROKEN', 'a png of 0 × 0', pngOf(0, 0, 0))
  add('IMAGE_BROKEN', 'a png without rows', pngOf(100, 100, 0))
  add('IMAGE_BROKEN', 'a png with too few rows', pngOf(1000, 1000, 10))

  // A PDF is kept as it came, from its first byte to its end.
  add('OK', 'a pdf', pdf)
  add('OK', 'a pdf with a page of the web inside', Buffer.concat([text(`%PDF-1.4\n${script}\n`), pdf.subarray(9)]))
  add('OK', 'a pdf padded with zeros', Buffer.concat([pdf, Buffer.alloc(200)]))
  add('PDF_BROKEN', 'a pdf without its end', pdf.subarray(0, -6))
  add('PDF_BROKEN', 'half a pdf', pdf.subarray(0, pdf.length / 2))
  add('PDF_BROKEN', 'a pdf’s first line and a page', text(`%PDF-1.7\n${script}`))
  add('PDF_BROKEN', 'a pdf’s first line, a page and an end', text(`%PDF-1.7\n${script}\n%%EOF`))
  add('PDF_BROKEN', 'a zip behind a pdf', Buffer.concat([pdf, text('PK\x03\x04'), Buffer.alloc(60, 1)]))
  add('PDF_BROKEN', 'a pdf with 2 KB behind it', Buffer.concat([pdf, Buffer.alloc(2_048)]))

  // Small to send, large to decode.
  add('IMAGE_DIMENSIONS', 'a png bomb of 30,000 × 30,000', pngOf(30_000, 30_000, 16_000))
  add('IMAGE_DIMENSIONS', 'a png of 8,193 × 1', pngOf(8193, 1, 1))
  add('IMAGE_DIMENSIONS', 'a png of 1 × 8,193', pngOf(1, 8193, 8193))
  add('IMAGE_DIMENSIONS', 'a png of 8,000 × 5,001', pngOf(8000, 5001, 5001))
  add('IMAGE_DIMENSIONS', 'a png of 100,000 × 1', pngOf(100_000, 1, 1))
  add('IMAGE_DIMENSIONS', 'a gif of 121 frames', gifOf(1, 1, 121))
  add('IMAGE_DIMENSIONS', 'a gif of 5,000 frames', gifOf(1, 1, 5000))
  add('IMAGE_DIMENSIONS', 'a gif of 65,535 × 65,535', gifOf(65_535, 65_535, 1))
  add('IMAGE_DIMENSIONS', 'a gif of 120 frames of 4,000 × 4,000', gifOf(4000, 4000, 120))
  add('IMAGE_DIMENSIONS', 'a wide jpeg', await plain(8200, 8).jpeg().toBuffer())
  add('IMAGE_DIMENSIONS', 'a high webp', await plain(8, 8200).webp().toBuffer())

  // Too large, with any content.
  add('IMAGE_TOO_LARGE', '6 MB of zeros', Buffer.alloc(6 * 1024 * 1024))
  add('IMAGE_TOO_LARGE', 'a jpeg with 6 MB behind it', Buffer.concat([jpeg, Buffer.alloc(6 * 1024 * 1024)]))
  add('IMAGE_TOO_LARGE', 'a pdf of 5 MB and a byte', pdfOf(5 * 1024 * 1024 + 1))
  add('OK', 'a pdf of 5 MB', pdfOf(5 * 1024 * 1024))
  add('IMAGE_TOO_LARGE', '20 MB', Buffer.alloc(20 * 1024 * 1024, 1))

  // Valid images: stored, and encoded again without their metadata.
  add('OK', 'a jpeg', jpeg)
  add('OK', 'a png', png)
  add('OK', 'a gif', gif)
  add('OK', 'a webp', webp)
  add('OK', 'a jpeg with html behind it', Buffer.concat([jpeg, text(script)]))
  add('OK', 'a png with a zip behind it', Buffer.concat([png, text('PK\x03\x04'), Buffer.alloc(100)]))
  add('OK', 'a gif of 120 frames', gifOf(1, 1, 120))
  add('OK', 'a jpeg without its last two bytes', jpeg.subarray(0, -2))
  add('OK', 'an animated webp that is to be turned', await turnedAnimation())
  add(
    'OK',
    'a jpeg with a script in its EXIF',
    await plain(20, 20)
      .jpeg()
      .withExif({ IFD0: { Copyright: script } })
      .toBuffer(),
  )
  return files
}

const noise = (width: number, height: number): Promise<Buffer> =>
  sharp(Buffer.from(Array.from({ length: width * height * 3 }, (_, n) => (n * 7919 * (n % 251)) & 255)), {
    raw: { width, height, channels: 3 },
  })
    .png()
    .toBuffer()

/** A WebP of two frames whose EXIF asks to turn it, as phones and converters write one. */
async function turnedAnimation(): Promise<Buffer> {
  const frames = await Promise.all(
    ['red', 'blue'].map((background) =>
      sharp({ create: { width: 40, height: 20, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  const webp = await sharp(frames, { join: { animated: true } })
    .webp({ delay: [100, 100] })
    .toBuffer()
  const exif = Buffer.from('49492a000800000001001201030001000000060000000000', 'hex')
  const size = Buffer.alloc(4)
  size.writeUInt32LE(exif.length)
  const file = Buffer.concat([webp, Buffer.from('EXIF'), size, exif])
  file.writeUInt32LE(file.length - 8, 4)
  // Sets the flag of the header that says that there is EXIF.
  file[20] = (file[20] ?? 0) | 0x08
  return file
}

/** A copy with one byte changed. */
function bent(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 0xff
  return copy
}
