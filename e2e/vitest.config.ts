import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import type { Device } from './support/browser.ts'

/** These journeys set every width and theme themselves. */
const widthsOfTheirOwn = ['e2e/*-accessibility.test.ts']

const files = (...names: string[]) => names.map((name) => `e2e/${name}.test.ts`)

/**
 * Played on the phone alone, where players are. What the device stores, how it speaks with a server that fails, and
 * what is decided elsewhere is the same at every width; the screens of these journeys are looked at on a wide screen by
 * others, and by those of accessibility.
 */
const phoneOnly = files(
  'back-closes',
  'decide-requests',
  'disclosure',
  'disputes',
  'failures',
  'first-load',
  'four-eyes',
  'held-bet',
  'help',
  'notices',
  'offline',
  'open-book',
  'player-limits',
  'player-market',
  'player-money',
  'push',
  'server-away',
  'session',
  'settings',
  'shared-device',
  'statistics',
)

/** Played at a desk alone, where staff are; journeys of accessibility open every screen of theirs at 390 px as well. */
const desktopOnly = files('attention', 'customer-page', 'list-filters', 'second-factor', 'two-admins')

/**
 * The other journeys run on a phone in the light theme and on a wide screen in the dark one; with `EVERY_WIDTH=yes` all
 * do.
 */
const devices: readonly Device[] = [
  { name: 'phone', width: 390, height: 844, hasTouch: true, theme: 'light' },
  { name: 'desktop', width: 1280, height: 800, hasTouch: false, theme: 'dark' },
]

const elsewhere = ({ name }: Device): readonly string[] => {
  if (process.env['EVERY_WIDTH'] === 'yes') return []
  return name === 'phone' ? desktopOnly : phoneOnly
}

declare module 'vitest' {
  interface ProvidedContext {
    device: Device
  }
}

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    // Three files side by side: a journey mostly waits, for a round's end or for its server, and leaves room for other browsers.
    maxWorkers: 3,
    testTimeout: 120_000,
    // A browser on two busy cores sometimes misses a moment. A journey that fails twice in a row is wrong, and retries
    // are reported.
    retry: 1,
    hookTimeout: 60_000,
    setupFiles: ['./server/testing/loud.ts'],
    globalSetup: ['./e2e/support/new-installation.ts'],
    projects: devices.map((device) => ({
      extends: true as const,
      test: {
        name: device.name,
        include: ['e2e/**/*.test.ts'],
        exclude: [...(device.name === 'phone' ? [] : widthsOfTheirOwn), ...elsewhere(device)],
        pool: 'forks' as const,
        provide: { device },
      },
    })),
  },
})
