import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { startAnew } from '#web/platform/storage.ts'
import { readStylesQuickly } from './quick-styles.ts'

/** Set-up and clean-up of every component test: an empty page, a wide window, empty storage. */

declare global {
  var IS_REACT_ACT_ENVIRONMENT: boolean | undefined
}
globalThis.IS_REACT_ACT_ENVIRONMENT = true
// Otherwise a missing role prints the markup of the whole page; its roles and names are enough.
configure({
  // On a busy machine an answer or lazy code may take longer.
  asyncUtilTimeout: 5_000,
  getElementError: (message) => {
    const lines = (message ?? 'Not found').split('\n')
    return new Error(lines.filter((line) => /^\S|^ {2}(\w+:|Name ".+":)$/.test(line)).join('\n'))
  },
})

readStylesQuickly()

// A cancelled animation rejects a promise that a browser counts as handled; this DOM does not.
const prototype = Element.prototype as {
  animate: (this: Element, ...args: Parameters<Element['animate']>) => Animation
}
const { animate } = prototype
prototype.animate = function (...args) {
  const animation = animate.apply(this, args)
  animation.finished.catch(() => {})
  return animation
}

// The page's own `fetch` would find nobody at its address, and only print that.
globalThis.fetch = (asked) => {
  const error = new Error(`No fake server is there for ${asked instanceof Request ? asked.url : String(asked)}`)
  console.error(error)
  return Promise.reject(error)
}

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  startAnew()
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})
