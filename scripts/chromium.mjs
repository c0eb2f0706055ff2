import { existsSync } from 'node:fs'
import { fail } from './project.mjs'

const candidates = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

export function findChromium() {
  const path = process.env['CHROMIUM_PATH'] || candidates.find((candidate) => existsSync(candidate))
  if (path === undefined || !existsSync(path))
    fail(
      'Chromium was not found: install it (on Debian: apt-get install chromium) or set CHROMIUM_PATH to where it is.',
    )
  return path
}

/** Returns the path of Chromium's headless shell, which most journeys of e2e/ use; undefined if not installed. */
export function findShell() {
  return ['/usr/bin/chromium-headless-shell'].find((candidate) => existsSync(candidate))
}
