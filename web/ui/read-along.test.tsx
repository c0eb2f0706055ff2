import { act, fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { draw } from '#web/testing/render.tsx'
import { pictureTexts } from './picture-texts.ts'
import { ReadAlong } from './read-along.tsx'

const points = [
  { x: 0.1, text: '10:00:00 · $1' },
  { x: 0.5, text: '10:00:01 · $2' },
  { x: 0.9, text: '10:00:05 · $3' },
]

async function show() {
  const onRead = vi.fn<(at: number | null) => void>()
  const drawn = await draw(
    <ReadAlong
      label="Giá"
      xs={() => points.map(({ x }) => x)}
      textOf={(at) => points[at]?.text ?? ''}
      drawn={{ onRead, scaleWidth: 0 }}
    >
      <p>picture</p>
    </ReadAlong>,
  )
  const slider = screen.getByRole('slider', { name: pictureTexts.read('Giá') })
  const picture = slider.parentElement ?? slider
  vi.spyOn(picture, 'getBoundingClientRect').mockReturnValue(new DOMRect(100, 0, 200, 100))
  return { ...drawn, onRead, slider, picture, shown: () => screen.queryByText(/·/)?.textContent ?? null }
}

test('a finger or a mouse reads the nearest point, and leaves nothing behind', async () => {
  const { picture, shown, onRead } = await show()
  expect(shown()).toBeNull()
  for (const [clientX, text] of [
    [100, '10:00:00 · $1'],
    [205, '10:00:01 · $2'],
    [400, '10:00:05 · $3'],
  ] as const) {
    fireEvent.pointerMove(picture, { pointerType: 'touch', clientX })
    expect(shown()).toBe(text)
  }
  // The page is scrolled: the finger was not meant for the picture.
  fireEvent.pointerCancel(picture, { pointerType: 'touch' })
  expect(shown()).toBeNull()
  expect(onRead.mock.calls).toEqual([[0], [1], [2], [null]])
})

test('keys go from point to point, said as the value of a slider; Escape ends the reading', async () => {
  const { slider, shown, user } = await show()
  await user.tab()
  expect(document.activeElement).toBe(slider)
  expect([slider.getAttribute('aria-valuetext'), shown()]).toEqual(['10:00:05 · $3', '10:00:05 · $3'])
  // The browser moves a slider by its keys itself.
  fireEvent.change(slider, { target: { value: '0' } })
  expect([slider.getAttribute('aria-valuetext'), shown()]).toEqual(['10:00:00 · $1', '10:00:00 · $1'])
  await user.keyboard('{Escape}')
  expect(shown()).toBeNull()
  fireEvent.change(slider, { target: { value: '1' } })
  expect(shown()).toBe('10:00:01 · $2')
  act(() => slider.blur())
  expect(shown()).toBeNull()
})
