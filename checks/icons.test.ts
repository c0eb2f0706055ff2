import * as lucide from 'lucide-react'
import { createElement, type FunctionComponent } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { IconProps } from '#web/ui/icon.tsx'
import { filesBelow } from './source-files.ts'

/** The parts of a path, each from its own start: a first `m` means `M`, and the points after its own are relative. */
function partsOf(path: string): readonly string[] {
  const [first = '', x, y, next = '', ...more] = path.match(/[a-z]|-?(?:\d+\.?\d*|\.\d+)/gi) ?? []
  const line = first === 'm' && /\d/.test(next) ? ['l'] : []
  return [first.toUpperCase(), x, y, ...line, next, ...more].join(' ').split(/ (?=M)/)
}

/** The `svg` and its shapes in any order. A path counts as so many paths as it has parts. */
function drawn(icon: FunctionComponent<IconProps>): readonly string[] {
  const html = renderToStaticMarkup(createElement(icon, { size: 18, strokeWidth: 1.8 }))
  return Array.from(html.replaceAll(/ (?:xmlns|class|aria-hidden)="[^"]*"/g, '').matchAll(/<(\w[^<>]*)>/g))
    .flatMap(([, shape = '']) => (shape.startsWith('path') ? partsOf(shape.slice('path d="'.length, -1)) : shape))
    .toSorted()
}

test('the icons are those of lucide-react as they are', async () => {
  const originals: Readonly<Record<string, unknown>> = { ...lucide }
  const files = filesBelow('web/ui/icons').filter((path) => path.endsWith('.tsx'))
  expect(files.length).toBeGreaterThan(100)
  for (const path of files) {
    const icons = Object.entries((await import(`../${path}`)) as Readonly<Record<string, FunctionComponent<IconProps>>>)
    expect(icons).toHaveLength(1)
    // After an update of the package: npm run icons
    for (const [name, icon] of icons)
      expect([name, drawn(icon)]).toEqual([name, drawn(originals[name] as FunctionComponent<IconProps>)])
  }
})
