import { defineConfig } from 'vitest/config'

const loud = './server/testing/loud.ts'

export default defineConfig({
  test: {
    // The smallest machine that runs the tests has two cores.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    setupFiles: [loud],
    projects: [
      { extends: true, test: { name: 'domain', include: ['domain/**/*.test.ts'], pool: 'threads' } },
      { extends: true, test: { name: 'contract', include: ['contract/**/*.test.ts'], pool: 'threads' } },
      { extends: true, test: { name: 'web', include: ['web/**/*.test.ts'], pool: 'threads' } },
      {
        extends: true,
        test: {
          name: 'components',
          include: ['web/**/*.test.tsx'],
          environment: 'happy-dom',
          setupFiles: ['./web/testing/set-up.ts'],
          pool: 'threads',
        },
      },
      { extends: true, test: { name: 'checks', include: ['checks/**/*.test.ts'], pool: 'threads' } },
      { extends: true, test: { name: 'bench', include: ['bench/**/*.test.ts'], pool: 'forks' } },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          globalSetup: ['./server/testing/global-setup.ts'],
          // The embedded database can end its process; it must not end the other tests with it.
          pool: 'forks',
        },
      },
    ],
  },
})
