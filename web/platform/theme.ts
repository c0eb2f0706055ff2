import { createSignal } from './signal.ts'
import { type ThemeChoice, readThemeChoice, writeThemeChoice } from './storage.ts'

/**
 * Light and dark. `web/boot/head.ts` sets `data-theme` before the first paint; this file updates it afterwards. The
 * attribute always names the theme in force, so the stylesheet needs each theme once.
 */

export type Theme = 'light' | 'dark'

const changed = createSignal()
const systemDark = () => globalThis.matchMedia('(prefers-color-scheme: dark)')

/** The visitor's choice: light, dark, or the device's theme. */
export function currentThemeChoice(): ThemeChoice {
  return readThemeChoice()
}

/** Stores the choice and recolours the page at once. */
export function chooseTheme(choice: ThemeChoice): void {
  writeThemeChoice(choice)
  applyTheme()
}

/** Calls back when the colours, the choice or the fonts changed, for code that draws on a canvas. */
export const onThemeChanged = changed.listen

export const announceTheme = changed.tell

/** Follows the device's setting while the page lives. Called once, by main.tsx. */
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
    ?.setAttribute('content', getComputedStyle(root).getPropertyValue('--ground').trim())
  announceTheme()
}
