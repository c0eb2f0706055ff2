import { defineConfig } from 'vitest/config'

const loud = './server/testing/loud.ts'

export default defineConfig({
  test: {
    // Two cores are the machine this has to run on.
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
      {
        extends: true,
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          globalSetup: ['./server/testing/global-setup.ts'],
          // An embedded database that ends its process must not end the others'.
          pool: 'forks',
        },
      },
    ],
  },
})
