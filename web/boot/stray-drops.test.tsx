import { createEvent, fireEvent, render, screen } from '@testing-library/react'
import { useRef } from 'react'
import { beforeAll, expect, test, vi } from 'vitest'
import { useFileDrop } from '#web/ui/use-file-drop.ts'
import { refuseStrayDrops } from './stray-drops.ts'

function FieldForFiles({ take }: { readonly take: (file: File) => void }) {
  const field = useRef<HTMLDivElement>(null)
  useFileDrop(field, take)
  return <div ref={field}>the field</div>
}

beforeAll(refuseStrayDrops)

/** Drags over the element. Returns whether the page took the event, and what a drop would do. */
function dragOver(element: Element, types: readonly string[]) {
  const event = createEvent.dragOver(element)
  const dataTransfer = { types, files: [], dropEffect: 'copy' }
  Object.defineProperty(event, 'dataTransfer', { value: dataTransfer })
  fireEvent(element, event)
  return { isTaken: event.defaultPrevented, dropEffect: dataTransfer.dropEffect }
}

test('a file beside the field for files is refused, one over the field is taken, and a text goes where it is dropped', () => {
  render(
    <>
      <p>beside</p>
      <FieldForFiles take={vi.fn<() => void>()} />
    </>,
  )
  const [beside, field] = [screen.getByText('beside'), screen.getByText('the field')]
  expect(dragOver(beside, ['Files'])).toEqual({ isTaken: true, dropEffect: 'none' })
  expect(dragOver(field, ['Files'])).toEqual({ isTaken: true, dropEffect: 'copy' })
  expect(dragOver(beside, ['text/plain'])).toEqual({ isTaken: false, dropEffect: 'copy' })
  expect(dragOver(field, ['text/plain'])).toEqual({ isTaken: false, dropEffect: 'copy' })
})
