export const BROWSER_ERROR_KINDS = ['script', 'promise', 'screen'] as const
export type BrowserErrorKind = (typeof BROWSER_ERROR_KINDS)[number]

/** An error in a browser (rules §6.3). */
export interface BrowserError {
  readonly kind: BrowserErrorKind
  readonly message: string
  /** The stack, innermost frame first: `readDraft assets/index-BcD3.js:1:4711`. */
  readonly frames: readonly string[]
  readonly screen: string
}

export const MESSAGE_MAX = 300
export const FRAMES_MAX = 20
const SCREEN_MAX = 80
const FRAME_NAME_MAX = 60

/**
 * Removes texts that may be personal data. From the message: URLs, e-mail addresses, numbers of three or more digits,
 * and quoted texts, except a name in single quotes. From the stack: lines of other files than this product's. From the
 * screen's path: the query, and parts with a digit. The server cleans each report again: anybody can send one.
 */
export function withoutPersonalData(error: BrowserError): BrowserError {
  return {
    kind: error.kind,
    message: error.message
      .replace(/\p{Cc}+/gu, ' ')
      .replace(/\b[a-z]+:\/\/\S+/gi, '(url)')
      .replace(/\S+@\S+/g, '…')
      .replace(/"[^"]*("|$)|`[^`]*(`|$)|'[^']*('|$)/g, (quoted) => {
        const isName = /^'[\w$]{1,40}'$/.test(quoted)
        return isName ? quoted : `${quoted[0]}…${quoted[0]}`
      })
      .replace(/\d{3,}/g, '#')
      .slice(0, MESSAGE_MAX)
      // A cut within an emoji leaves a lone surrogate, which the contract refuses.
      .replace(/\p{Cs}/gu, '…'),
    frames: error.frames.flatMap(ownFrame).slice(0, FRAMES_MAX),
    screen: error.screen
      .replace(/[?#].*$/s, '')
      .replace(/[^\w/$:.-]/g, '…')
      .replace(/(?<=\/)[^/]*\d[^/]*/g, ':id')
      .slice(0, SCREEN_MAX),
  }
}

/**
 * Returns a line of a stack as `name file:line:column` if the file is below `assets/`, else an empty array.
 * Chromium writes `at name (https://host/assets/x.js:1:2)`, Firefox and Safari `name@https://host/assets/x.js:1:2`.
 */
function ownFrame(line: string): string[] {
  const place = /(?<!\w)(assets\/[\w.-]+\.js:\d+:\d+)\)?$/.exec(line.trim())?.[1]
  if (place === undefined) return []
  const name = /^(?:at )?(?:async )?([\w$.<>]+)(?: \(| assets\/|@)/.exec(line.trim())?.[1] ?? ''
  return [`${name === '' ? '?' : name.slice(0, FRAME_NAME_MAX)} ${place}`]
}
