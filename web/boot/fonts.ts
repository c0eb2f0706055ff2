import { afterLoad, inTurn } from '#web/platform/lazy-part.ts'
import { pause } from '#web/platform/pause.ts'
import { announceTheme } from '#web/platform/theme.ts'
import { delaysMs } from './delays.ts'

/** One character of each of the two font files in web/styles/fonts.css, so that the browser loads both. */
const charactersOfBoth = 'aạ'

/** Switches to the product's own fonts after the page's load. Loaded earlier, they would delay the first screen. */
export async function bringFonts(): Promise<void> {
  const root = document.documentElement
  if (root.dataset['font'] === 'own') return
  await afterLoad()
  await pause(delaysMs.fonts)
  await inTurn(() => document.fonts.load("1em 'Inter Variable'", charactersOfBoth))
  root.dataset['font'] = 'own'
  announceTheme()
}
