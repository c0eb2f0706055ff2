/** An error that a browser met, as far as it may be kept: where in the code, on which screen, and nothing of a person. */
export interface BrowserError {
  /** What met it: a script, a promise nobody waited for, or a screen that could not be drawn. */
  readonly kind: 'script' | 'promise' | 'screen'
  /** `TypeError: Cannot read properties of undefined (reading 'length')`. */
  readonly message: string
  /** Innermost first: `readDraft assets/index-BcD3.js:1:4711`. The build's source maps lead to the line that was written. */
  readonly frames: readonly string[]
  /** The path of the screen with `:id` for every id and number in it. */
  readonly screen: string
}

export const MESSAGE_MAX = 300
export const FRAMES_MAX = 20
const SCREEN_MAX = 80
const FRAME_NAME_MAX = 60

/**
 * Leaves out what might say something of a person: texts in quotes (a parser quotes what it was given) but for the single
 * name of a property, addresses with their queries, and every longer number. Done where the error is met, so that
 * nothing else leaves the device, and once more where the report is taken, since anybody can send one. Doing it twice
 * changes nothing.
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
      .slice(0, MESSAGE_MAX),
    frames: error.frames.flatMap(ownFrame).slice(0, FRAMES_MAX),
    screen: error.screen
      .replace(/[?#].*$/s, '')
      .replace(/[^\w/$:.-]/g, '…')
      .replace(/(?<=\/)[^/]*\d[^/]*/g, ':id')
      .slice(0, SCREEN_MAX),
  }
}

/**
 * A line of a stack as `name file:line:column`, where the file is one of ours; nothing for any other line. Chromium
 * writes `at name (https://host/assets/x.js:1:2)`, Firefox and Safari `name@https://host/assets/x.js:1:2`.
 */
function ownFrame(line: string): string[] {
  const place = /(?<!\w)(assets\/[\w.-]+\.js:\d+:\d+)\)?$/.exec(line.trim())?.[1]
  if (place === undefined) return []
  const name = /^(?:at )?(?:async )?([\w$.<>]+)(?: \(| assets\/|@)/.exec(line.trim())?.[1] ?? ''
  return [`${name === '' ? '?' : name.slice(0, FRAME_NAME_MAX)} ${place}`]
}
