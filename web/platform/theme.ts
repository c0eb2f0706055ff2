import { createSignal } from './signal.ts'
import { type ThemeChoice, readThemeChoice, writeThemeChoice } from './storage.ts'

/** Applies the theme as `data-theme` of the document. web/boot/head.ts does the same before the first paint. */

export type Theme = 'light' | 'dark'

const changed = createSignal()
const systemDark = () => globalThis.matchMedia('(prefers-color-scheme: dark)')

export function chooseTheme(choice: ThemeChoice): void {
  writeThemeChoice(choice)
  applyTheme()
}

/** Calls a listener after a change of the colours or the fonts, so that a canvas can be redrawn. */
export const onThemeChanged = changed.listen

export const announceTheme = changed.tell

export function followSystemTheme(): void {
  systemDark().addEventListener('change', applyTheme)
  applyTheme()
}

function applyTheme(): void {
  const choice = readThemeChoice()
  const theme: Theme = choice === 'system' ? (systemDark().matches ? 'dark' : 'light') : choice
  const root = document.documentElement
  root.dataset['theme'] = theme
  document
    .querySelector('meta[name="theme-color"]')
    ?.setAttribute('content', getComputedStyle(root).getPropertyValue('--color-ground').trim())
  announceTheme()
}
