import { screen } from '@testing-library/react'
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { bookStatusEndpoints } from '#contract/book-status.ts'
import { type Bet, gameEndpoints } from '#contract/game.ts'
import { writeAccessToken } from '#web/platform/storage.ts'
import { fakeServer, onePage } from '#web/testing/fake-server.ts'
import { PROOF_WORDS, unfoldedText } from '#web/testing/proof-words.ts'
import { draw } from '#web/testing/render.tsx'
import { uuid } from '#web/testing/samples.ts'
import { bookTexts as texts } from './book-texts.ts'
import { CheckLast } from './check-last.tsx'
import type { CheckRequest, FromWorker } from './check-messages.ts'
import { checkTexts } from './check-texts.ts'

const worker = vi.hoisted(() => ({ started: [] as CheckRequest[], tell: (_: FromWorker): void => {} }))
vi.mock(import('./start-check.ts'), () => ({
  startCheck: (request: CheckRequest, tell: (message: FromWorker) => void) => {
    worker.started.push(request)
    worker.tell = tell
    return { stop: () => {}, end: () => {} }
  },
}))

const status = {
  ...{ origin: 'kim-phien/00', prefix: '/log', vkey: 'kim-phien/00+1+A', size: 12_345, noteAtMs: Date.now() },
  ...{ completeSinceMs: 0, isSealing: true, why: null, isWitnessed: false, storageBytes: 1_250_000 },
}
let server: ReturnType<typeof fakeServer>
beforeEach(() => {
  localStorage.clear()
  worker.started.length = 0
  server = fakeServer()
  server.on(bookStatusEndpoints.readBookStatus, () => status)
})
afterEach(() => localStorage.clear())

const aBet = (round: string, state: Bet['status']): Bet => ({
  ...{ id: uuid(9), owner: { id: uuid(1), username: 'lan' }, direction: 'up', stakeMinor: 1_000n, status: state },
  ...{ round: { id: round, roundNumber: 7, type: '30s' }, basis: 'PRICE', entryFromMs: 0, entryAtMs: null },
  ...{ entryPrice: null, exitPrice: null, profitMinor: null, voidReason: null, closesAtMs: 0, settledAtMs: null },
  createdAtMs: 0,
})

test('a player’s last round that has ended is checked here, and the result is plain words', async () => {
  writeAccessToken('token')
  server.on(gameEndpoints.listOwnBets, () => onePage([aBet(uuid(2), 'open'), aBet(uuid(3), 'lost')]))
  const { container, user } = await draw(<CheckLast />)
  await user.click(await screen.findByRole('button', { name: texts.checkOwn }))
  expect(worker.started).toEqual([{ kind: 'round', round: uuid(3) }])
  act(() => worker.tell({ step: { step: 'note', state: 'right', done: 1, total: 1 } }))
  act(() =>
    worker.tell({
      report: {
        ...{ request: { kind: 'round', round: uuid(3) }, state: 'wrong', faultCount: 1, head: null, settledBets: 1 },
        ...{ faults: [{ kind: 'note-signature', index: null, round: null }], summary: null, vkey: null, proof: null },
      },
    }),
  )
  expect(screen.getByRole('alert').textContent).toBe(checkTexts.wrong('1'))
  expect(screen.getByText(checkTexts.faults).closest('details')?.open).toBe(false)
  expect(container.textContent).toMatch(PROOF_WORDS)
  expect(unfoldedText(container)).not.toMatch(PROOF_WORDS)
})

test.each([true, false])('whoever has no bet, signed in: %s, checks everybody’s last round', async (isSignedIn) => {
  if (isSignedIn) writeAccessToken('token')
  server.on(gameEndpoints.listOwnBets, () => onePage<Bet>([]))
  const { user } = await draw(<CheckLast />)
  await user.click(await screen.findByRole('button', { name: texts.checkAny }))
  expect(worker.started).toEqual([{ kind: 'rounds', count: 1 }])
})

test('a book that does not go on is said above every fold', async () => {
  server.on(bookStatusEndpoints.readBookStatus, () => ({ ...status, isSealing: false, why: 'AHEAD' as const }))
  await draw(<CheckLast />)
  expect((await screen.findByRole('alert')).textContent).toContain(texts.notSigning)
})
