import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { startAnew } from '#web/platform/storage.ts'

/** What every component test begins with and leaves behind: an empty page, a wide window, nothing in storage. */

declare global {
  var IS_REACT_ACT_ENVIRONMENT: boolean
}
globalThis.IS_REACT_ACT_ENVIRONMENT = true
// Without this a role that is not found prints the markup of the whole page; the roles and names on it say enough.
configure({
  // On a busy machine an answer or a part that is loaded lazily takes its time.
  asyncUtilTimeout: 5_000,
  getElementError: (message) => {
    const lines = (message ?? 'Not found').split('\n')
    return new Error(lines.filter((line) => /^\S|^ {2}(\w+:|Name ".+":)$/.test(line)).join('\n'))
  },
})

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

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  startAnew()
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})
