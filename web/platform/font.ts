import { afterLoad, idleMoment } from './lazy-part.ts'

/** A letter of each of the two files that web/styles/fonts.css names. */
const lettersOfBoth = 'aạ'

/**
 * Brings the product's own letters once the first screen stands: their 57 KiB would hold it up by a third of a second on
 * a slow line. The page changes to them where nobody sees a line break move: with the next screen, or while it is not
 * looked at. Where they are on the device already, web/platform/head.js has asked for them at once.
 * @param onScreenChange calls back whenever another screen is about to be drawn
 */
export async function bringFont(onScreenChange: (listener: () => void) => () => void): Promise<void> {
  const root = document.documentElement
  if (root.dataset['font'] === 'own') return
  await afterLoad
  await idleMoment()
  await document.fonts.load("1em 'Inter Variable'", lettersOfBoth)
  const change = () => {
    root.dataset['font'] = 'own'
    stop()
    document.removeEventListener('visibilitychange', change)
  }
  const stop = onScreenChange(change)
  document.addEventListener('visibilitychange', change)
}
