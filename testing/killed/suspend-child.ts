import type { Subject } from '#domain/identity/permissions.ts'
import { openAuditLog } from '#server/features/audit/index.ts'
import { fileRequest } from '#server/features/cashier/index.ts'
import { type BetCall, createBetPlacer, deleteRound, settleDue } from '#server/features/game/index.ts'
import { claimOf } from '#server/features/wallet/index.ts'
import { isRefused } from '#server/platform/http/errors.ts'
import { newId } from '#server/platform/process/ids.ts'
import { createLog } from '#server/platform/process/log.ts'
import { openNativeConnections } from '#server/platform/database/native.ts'
import { AUDIT_KEY } from '#testing/play/books.ts'
import { createFakeClock } from '#testing/time/fake-clock.ts'
import { encodeBet, fixedPrices, noHints } from '#testing/play/rounds.ts'
import { stepDatabase } from './stepped-database.ts'

/**
 * A process that runs one command and suspends itself in the middle of it, as by SIGSTOP or on a frozen machine: when
 * the first statement whose text contains `after` was answered. Started with `fork` and the database's url; sends
 * `ready`, then `stopping` just before it stops, and after it was woken the command's outcome.
 */
export interface SuspendOrder {
  readonly act:
    | { readonly is: 'settle'; readonly chunkSize?: number }
    | { readonly is: 'bet'; readonly call: BetCall }
    | { readonly is: 'delete-round'; readonly subject: Subject; readonly roundId: string }
    | { readonly is: 'file'; readonly subject: Subject; readonly amountMinor: bigint }
  readonly after: string
}

export type SuspendReport = 'ready' | 'stopping' | { readonly outcome: string }

const url = process.argv[2]
if (url === undefined || process.send === undefined) throw new Error('This is started by a test.')
const connections = openNativeConnections(url)
const tell = (report: SuspendReport): Promise<void> =>
  new Promise((resolve) => void process.send?.(report, () => resolve()))

async function carryOut({ act, after }: SuspendOrder): Promise<string> {
  let hasStopped = false
  const visitor = {
    async after(_step: number, what: string) {
      if (hasStopped || !what.includes(after)) return
      hasStopped = true
      await tell('stopping')
      process.kill(process.pid, 'SIGSTOP')
    },
  }
  const deps = { prices: fixedPrices((second) => second), hints: noHints }
  const requests = stepDatabase(connections.requests, visitor)
  switch (act.is) {
    case 'settle': {
      const db = stepDatabase(connections.engine, visitor)
      const { chunkSize } = act
      const engine = { ...deps, db, clock: createFakeClock(), log: createLog('error'), ...(chunkSize && { chunkSize }) }
      await settleDue(engine)
      return 'passed'
    }
    case 'bet': {
      const answer = await createBetPlacer(
        { ...deps, db: stepDatabase(connections.bets, visitor) },
        encodeBet,
      )(act.call)
      return answer.ok ? 'placed' : answer.refusal
    }
    case 'delete-round': {
      await openAuditLog(connections.requests, AUDIT_KEY)
      const refused = await deleteRound({ ...deps, db: requests }, act.subject, act.roundId)
      return refused === null ? 'deleted' : refused.code
    }
    case 'file': {
      const hints = {
        requestViewed: () => {},
        requestChanged: () => {},
        balanceChanged: () => {},
        accountChanged: () => {},
      }
      const filing = { kind: 'withdrawal', memo: null, withdrawalNote: null, bankId: null } as const
      const { subject, amountMinor } = act
      const answer = await fileRequest(
        { db: requests, hints, fourEyes: { fromMinor: null, hints: { proposalChanged: () => {} } } },
        subject,
        { ...filing, amountMinor },
        claimOf(newId(), {}),
        () => '"filed"',
      )
      return isRefused(answer) ? answer.code : String(JSON.parse(answer))
    }
  }
}

process.on('message', (order: SuspendOrder) => {
  carryOut(order).then(
    (outcome) => tell({ outcome }),
    (error: unknown) => tell({ outcome: `failed: ${String((error as { code?: unknown }).code ?? error)}` }),
  )
})
process.on('disconnect', () => process.exit(0))
await connections.requests.query('select 1')
await tell('ready')
