import { afterLoad, inTurn } from './lazy-part.ts'

/** The parts of the screen itself take their turns before. */
const pauseMs = 500

/** A letter of each of the two files that web/styles/fonts.css names. */
const lettersOfBoth = 'aạ'

/**
 * Changes to the product's own letters once the first screen stands: their 57 KiB would hold it up by a third of a
 * second on a slow line. Where they are on the device already, web/platform/head.js has asked for them at once.
 */
export async function bringFont(): Promise<void> {
  const root = document.documentElement
  if (root.dataset['font'] === 'own') return
  await afterLoad()
  await new Promise((resolve) => setTimeout(resolve, pauseMs))
  await inTurn(() => document.fonts.load("1em 'Inter Variable'", lettersOfBoth))
  root.dataset['font'] = 'own'
}
