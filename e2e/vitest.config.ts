import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import type { Device } from './support/browser.ts'

/** These journeys set every width and theme themselves. */
const widthsOfTheirOwn = ['e2e/*-accessibility.test.ts']

/** What the device stores, and how it speaks with a server that fails, is the same at every width. */
const sameEverywhere = ['failures', 'offline', 'push', 'server-away', 'session', 'shared-device'].map(
  (name) => `e2e/${name}.test.ts`,
)

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
    // Three files side by side on two cores: a journey mostly waits for a round to end.
    maxWorkers: 3,
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
