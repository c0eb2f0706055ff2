import * as lucide from 'lucide-react'
import { createElement, type FunctionComponent } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { IconProps } from '#web/ui/icon.tsx'
import { filesBelow } from './source-files.ts'

const drawn = (icon: FunctionComponent<IconProps>) =>
  renderToStaticMarkup(createElement(icon, { size: 18, strokeWidth: 1.8 })).replaceAll(
    / (?:xmlns|class|aria-hidden)="[^"]*"/g,
    '',
  )

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
