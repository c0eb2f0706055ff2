import { afterEach, expect, test, vi } from 'vitest'
import { createLog } from './log.ts'
import { connectionLost } from '#server/platform/database/transaction.ts'

afterEach(() => void vi.useRealTimers())

function logged(write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown> {
  const lines: string[] = []
  write(createLog('info', { write: (line) => void lines.push(line) }))
  expect(lines).toHaveLength(1)
  return JSON.parse(lines[0] as string) as Record<string, unknown>
}

test('secrets are replaced wherever they may sit', () => {
  const line = logged((log) =>
    log.info({
      token: 's3cret',
      req: { headers: { authorization: 's3cret', host: 'h' } },
      body: { password: 's3cret' },
    }),
  )
  expect(JSON.stringify(line)).not.toContain('s3cret')
  expect(line['req']).toEqual({ headers: { authorization: '[secret]', host: 'h' } })
})

test('an error is logged with its code and cause, never with the rows that the database quotes', () => {
  const cause = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'Key (hash)=(s3cret)',
    severity: 'ERROR',
  })
  const line = logged((log) => log.error({ err: new Error('could not save', { cause }) }, 'failed'))
  expect(JSON.stringify(line)).not.toContain('s3cret')
  expect(line['err']).toMatchObject({ message: 'could not save', cause: { message: 'duplicate key', code: '23505' } })
})

test('whole numbers beyond the double range can be logged', () => {
  expect(logged((log) => log.info({ balance: 9007199254740993n }))).toHaveProperty('balance')
})

test('while the database is away the same line is written once in five seconds', () => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] })
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const away = () => connectionLost(new Error('connect ECONNREFUSED'))
  const words = () => lines.splice(0).map((line) => (JSON.parse(line) as { msg: string }).msg)
  for (let turn = 0; turn < 50; turn++) {
    log.error({ err: away() }, 'not settled')
    log.warn({ err: away(), size: 1n }, 'not swept')
  }
  expect(words()).toEqual(['not settled', 'not swept'])
  log.error({ err: away(), roundId: 'a' }, 'not settled')
  log.error({ err: away(), roundId: 'b' }, 'not settled')
  log.error({ err: new Error('a fault') }, 'not settled')
  log.error({ err: new Error('a fault') }, 'not settled')
  expect(words()).toHaveLength(4)
  vi.advanceTimersByTime(5_000)
  log.error({ err: away() }, 'not settled')
  expect(words()).toEqual(['not settled'])
})
