import { afterEach, expect, test, vi } from 'vitest'
import { UPLOAD_BYTES_MAX } from '#contract/files.ts'
import { fitFile } from './fit-file.ts'

afterEach(() => void vi.unstubAllGlobals())

test('a large picture is drawn anew on white, which a JPEG shows where the picture is transparent', async () => {
  const bitmap = { width: 400, height: 300, close: () => {} }
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
  const file = new File([new Uint8Array(UPLOAD_BYTES_MAX + 1)], 'logo.png', { type: 'image/png' })
  expect(await fitFile(file)).toMatchObject({ name: 'logo.png', type: 'image/jpeg', size: jpeg.size })
  expect(drawn).toEqual([
    ['white', 0, 0, 400, 300],
    [bitmap, 0, 0, 400, 300],
  ])
})
