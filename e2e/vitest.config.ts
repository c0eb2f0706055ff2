import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import type { Device } from './support/browser.ts'

/** These journeys set every width and theme themselves. */
const widthsOfTheirOwn = ['e2e/*-accessibility.test.ts']

/**
 * What the device stores, how it speaks with a server that fails, and what is decided elsewhere is the same at every
 * width; disputes have a phone and a wide screen of their own.
 */
const sameEverywhere = [
  ...['disputes', 'failures', 'first-load', 'offline', 'player-limits', 'push', 'server-away', 'session'],
  'shared-device',
].map((name) => `e2e/${name}.test.ts`)

/** Every journey runs on a phone in the light theme and on a wide screen in the dark one. */
const devices: readonly Device[] = [
  { name: 'phone', width: 390, height: 844, hasTouch: true, theme: 'light' },
  { name: 'desktop', width: 1280, height: 800, hasTouch: false, theme: 'dark' },
]

declare module 'vitest' {
  interface ProvidedContext {
    device: Device
  }
}

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    // Two files side by side: a journey mostly waits for a round to end, and leaves room for another one's browser. With
    // three on two cores, journeys miss moments.
    maxWorkers: 2,
    testTimeout: 120_000,
    // A browser on two busy cores sometimes misses a moment. A journey that fails twice in a row is wrong, and retries
    // are reported.
    retry: 1,
    hookTimeout: 60_000,
    setupFiles: ['./server/testing/loud.ts'],
    projects: devices.map((device) => ({
      extends: true as const,
      test: {
        name: device.name,
        include: ['e2e/**/*.test.ts'],
        exclude: device.name === 'phone' ? [] : [...widthsOfTheirOwn, ...sameEverywhere],
        pool: 'forks' as const,
        provide: { device },
      },
    })),
  },
})
