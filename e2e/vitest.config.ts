import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { reporters } from '../scripts/test-report.ts'
import { LongestFirst } from './support/longest-first.ts'

/** These journeys set every width and theme themselves. */
const widthsOfTheirOwn = ['e2e/*-accessibility.test.ts']

/** Each journey on its own device; before a tag, with `EVERY_WIDTH=yes`, on the other one as well. */
const projects = [
  { name: 'journeys', isOnOtherDevice: false, exclude: [] },
  { name: 'other-device', isOnOtherDevice: true, exclude: widthsOfTheirOwn },
].slice(0, process.env['EVERY_WIDTH'] === 'yes' ? 2 : 1)

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    // More files side by side than cores, since a journey also waits for a round's end. A fifth one only held up the others:
    // no run was shorter with it, and steps waited in vain.
    maxWorkers: 4,
    // Enough for the longest of them on a machine that has other work too.
    testTimeout: 300_000,
    // A browser on two busy cores sometimes misses a moment. A journey that fails twice in a row is wrong, and retries
    // are reported.
    retry: 1,
    // On a busy machine four servers that start at once take a minute.
    hookTimeout: 180_000,
    // The same time that a locator waits.
    expect: { poll: { timeout: 30_000 } },
    reporters: reporters(),
    sequence: { sequencer: LongestFirst },
    // A worker keeps what it has loaded, and its browser, for the next file.
    isolate: false,
    setupFiles: ['./testing/run/loud.ts'],
    // What axe found is named, not counted.
    chaiConfig: { truncateThreshold: 0 },
    globalSetup: ['./e2e/support/new-installation.ts'],
    projects: projects.map(({ name, isOnOtherDevice, exclude }) => ({
      extends: true as const,
      test: { name, include: ['e2e/**/*.test.ts'], exclude, pool: 'forks' as const, provide: { isOnOtherDevice } },
    })),
  },
})
