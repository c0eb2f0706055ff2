import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { reporters } from '../scripts/test-report.ts'
import type { Device } from './support/browser.ts'
import { LongestFirst } from './support/longest-first.ts'

/** These journeys set every width and theme themselves. */
const widthsOfTheirOwn = ['e2e/*-accessibility.test.ts']

const files = (...names: string[]) => names.map((name) => `e2e/${name}.test.ts`)

/** Journeys of staff, who sit at a desk; journeys of accessibility open every screen of theirs at 390 px as well. */
const atDesk = files(
  'admin-office',
  'attention',
  'bulk-users',
  'capabilities',
  'care-queue',
  'chat-care',
  'chat-desk',
  'chat-staff',
  'customer-page',
  'finder',
  'list-filters',
  'overview-figures',
  'second-factor',
  'system',
  'two-admins',
  'typed-fields',
)

/** The other journeys run on a phone, where players are. With `EVERY_WIDTH=yes`, before a tag, all run on both. */
const devices: readonly Device[] = [
  { name: 'phone', width: 390, height: 844, hasTouch: true, theme: 'light' },
  { name: 'desktop', width: 1280, height: 800, hasTouch: false, theme: 'dark' },
]
const filesOf = ({ name }: Device) =>
  process.env['EVERY_WIDTH'] === 'yes'
    ? { include: ['e2e/**/*.test.ts'], exclude: name === 'phone' ? [] : widthsOfTheirOwn }
    : name === 'phone'
      ? { include: ['e2e/**/*.test.ts'], exclude: atDesk }
      : { include: atDesk }

declare module 'vitest' {
  interface ProvidedContext {
    device: Device
  }
}

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    // More files side by side than cores: a journey mostly waits, for a round's end or for its server.
    maxWorkers: 5,
    // Enough for the longest of them on a machine that has other work too.
    testTimeout: 300_000,
    // A browser on two busy cores sometimes misses a moment. A journey that fails twice in a row is wrong, and retries
    // are reported.
    retry: 1,
    // On a busy machine five servers that start at once take a minute.
    hookTimeout: 180_000,
    // The same time that a locator waits.
    expect: { poll: { timeout: 30_000 } },
    reporters: reporters(),
    sequence: { sequencer: LongestFirst },
    // A worker keeps what it has loaded, and its browser, for the next file.
    isolate: false,
    setupFiles: ['./testing/run/loud.ts'],
    globalSetup: ['./e2e/support/new-installation.ts'],
    projects: devices.map((device) => ({
      extends: true as const,
      test: {
        name: device.name,
        ...filesOf(device),
        pool: 'forks' as const,
        provide: { device },
      },
    })),
  },
})
