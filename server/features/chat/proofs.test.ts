import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('../../../proofs/chat/accept-chat.ts', import.meta.url))
const redisUrl = process.env['TEST_REDIS_URL'] ?? ''
const hasBoth = redisUrl !== '' && (process.env['TEST_DATABASE_URL'] ?? '') !== ''

/**
 * A short run of what `npm run accept:chat` measures at full size, so that the script keeps working and its counts stay
 * right.
 */
test.runIf(hasBoth)(
  'the short proofs: nothing lost, doubled or overheard while processes are killed (PostgreSQL and Redis only)',
  async () => {
    const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
      const env = { ...process.env, REDIS_URL: redisUrl }
      execFile(process.execPath, [program, '--short'], { env }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : 1, output: stdout + stderr }),
      )
    })
    const passed = [...output.matchAll(/^OK +(\d+) /gm)].map(([, proof]) => Number(proof))
    expect(output.split('\n').filter((line) => line.startsWith('FAIL'))).toEqual([])
    expect({ passed, code, output }).toEqual({ passed: [1, 2, 3, 4, 5, 6, 7, 10, 12], code: 0, output })
  },
  180_000,
)
