import { afterLoad, inTurn } from './lazy-part.ts'
import { nextFrame, pause } from './pause.ts'

/** The parts of the screen itself take their turns before. */
const pauseMs = 500

/** A letter of each of the two files that web/styles/fonts.css names. */
const lettersOfBoth = 'aạ'

/** As many elements as a slow phone writes anew within one frame or two. */
const elementsAtOnce = 120

const listeners = new Set<() => void>()

/** Calls back when the page's letters changed, for what draws on a canvas. Returns the function that stops it. */
export function onFontChanged(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Changes to the product's own letters once the first screen stands: their 57 KiB would hold it up by a third of a
 * second on a slow line. Where they are on the device already, web/platform/head.js has asked for them at once. The page
 * is written anew part by part, so that a touch in between is answered.
 */
export async function bringFont(): Promise<void> {
  const root = document.documentElement
  if (root.dataset['font'] === 'own') return
  await afterLoad()
  await pause(pauseMs)
  await inTurn(() => document.fonts.load("1em 'Inter Variable'", lettersOfBoth))
  for (const part of partsOf(document.body)) {
    part.dataset['font'] = 'own'
    await nextFrame()
  }
  root.dataset['font'] = 'own'
  for (const listener of listeners) listener()
}

/** The largest elements that are no more than can be written anew at once, in the page's order. */
const partsOf = (element: Element): HTMLElement[] =>
  element.childElementCount === 0 || element.querySelectorAll('*').length < elementsAtOnce
    ? element instanceof HTMLElement
      ? [element]
      : []
    : Array.from(element.children).flatMap(partsOf)
