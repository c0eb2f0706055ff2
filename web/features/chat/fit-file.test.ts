import { afterEach, expect, test, vi } from 'vitest'
import { UPLOAD_BYTES_MAX } from '#contract/files.ts'
import { fitFile } from './fit-file.ts'

afterEach(() => void vi.unstubAllGlobals())

/** Lets pictures have this many frames. */
const countFrames = (frameCount: number) =>
  vi.stubGlobal(
    'ImageDecoder',
    class {
      completed = Promise.resolve()
      tracks = { selectedTrack: { frameCount } }
      close() {}
    },
  )

/** Lets pictures be decoded to this size. Returns what is drawn, and the JPEG that is made of it. */
function decodeTo(width: number, height: number) {
  const bitmap = { width, height, close: () => {} }
  const drawn: unknown[][] = []
  const context = {
    fillStyle: '#000',
    fillRect: (...at: unknown[]) => drawn.push([context.fillStyle, ...at]),
    drawImage: (...at: unknown[]) => drawn.push(at),
  }
  const jpeg = new Blob(['smaller'], { type: 'image/jpeg' })
  vi.stubGlobal('createImageBitmap', async () => bitmap)
  vi.stubGlobal('document', {
    createElement: () => ({ getContext: () => context, toBlob: (done: (made: Blob) => void) => done(jpeg) }),
  })
  return { bitmap, drawn, jpeg }
}
const picture = (bytes: number, name = 'logo.png', type = 'image/png') =>
  new File([new Uint8Array(bytes)], name, { type })

test('a large picture is drawn anew on white, which a JPEG shows where the picture is transparent', async () => {
  const { bitmap, drawn, jpeg } = decodeTo(400, 300)
  const fit = await fitFile(picture(UPLOAD_BYTES_MAX + 1))
  expect(fit).toMatchObject({ name: 'logo.png', type: 'image/jpeg', size: jpeg.size })
  expect(drawn).toEqual([
    ['white', 0, 0, 400, 300],
    [bitmap, 0, 0, 400, 300],
  ])
})

test('a photo of a phone has 5 megapixels when it is sent, also one that the server would take', async () => {
  const { drawn, jpeg } = decodeTo(4_000, 3_000)
  const photo = picture(UPLOAD_BYTES_MAX, 'anh.jpg', 'image/jpeg')
  expect(await fitFile(photo)).toMatchObject({ name: 'anh.jpg', size: jpeg.size })
  expect(drawn[0]).toEqual(['white', 0, 0, 2_581, 1_936])
  // A small file of the same size and a screenshot are sent as they are.
  const small = picture(1_000_000, 'anh.jpg', 'image/jpeg')
  expect(await fitFile(small)).toBe(small)
  decodeTo(1_170, 2_532)
  const screenshot = picture(UPLOAD_BYTES_MAX)
  expect(await fitFile(screenshot)).toBe(screenshot)
})

test.each(['image/webp', 'image/gif'])(
  'a still %s is made smaller, one that moves or may move is not',
  async (type) => {
    const { jpeg } = decodeTo(4_000, 3_000)
    const large = picture(UPLOAD_BYTES_MAX, 'anh', type)
    expect(await fitFile(large)).toBe(large)
    countFrames(2)
    expect(await fitFile(large)).toBe(large)
    countFrames(1)
    expect(await fitFile(large)).toMatchObject({ type: 'image/jpeg', size: jpeg.size })
  },
)
