import { afterLoad, inTurn } from '#web/platform/lazy-part.ts'
import { pause } from '#web/platform/pause.ts'
import { announceTheme } from '#web/platform/theme.ts'
import { delaysMs } from './delays.ts'

/** One character from each of the two font files in web/styles/fonts.css, so that the browser loads both. */
const charactersOfBoth = 'aạ'

/**
 * Switches the page to the product's own fonts once the first screen is drawn. Loaded earlier, their 57 KiB would delay
 * the screen by a third of a second on a slow connection.
 */
export async function bringFonts(): Promise<void> {
  const root = document.documentElement
  if (root.dataset['font'] === 'own') return
  await afterLoad()
  await pause(delaysMs.fonts)
  await inTurn(() => document.fonts.load("1em 'Inter Variable'", charactersOfBoth))
  root.dataset['font'] = 'own'
  announceTheme()
}
