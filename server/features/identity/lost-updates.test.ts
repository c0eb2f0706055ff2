import { beforeAll, describe, expect, test } from 'vitest'
import type { StaffUser } from '#contract/staff-users.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { points } from '#domain/money.ts'
import { verifyAuditLog } from '#server/features/audit/index.ts'
import { createBetPlacer } from '#server/features/game/index.ts'
import { isRefused } from '#server/platform/http/errors.ts'
import { brokenInvariants, createAdmin } from '#testing/play/books.ts'
import {
  createPlayers,
  createRound,
  encodeBet,
  fixedPrices,
  noHints,
  type TestPlayer,
  wish,
} from '#testing/play/rounds.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import type { IdentityDeps } from './ports.ts'
import { readUser, toStaffUser } from './queries.ts'
import { updateUser, type UserPatch } from './update-user.ts'

const STAKE = 10
/** Edits that an admin makes to a copy of the user: the whole copy is sent back with one thing changed. */
const EDITS = ['credit', 'vip', 'balance', 'balance and vip'] as const
type Edit = (typeof EDITS)[number]

/** Simultaneous edits: every pair, including the same edit twice. */
const PAIRS = EDITS.flatMap((first) => EDITS.map((second) => [first, second] as const))

/** The outcome of an admin's edit, and the user it would have produced. */
interface Done {
  readonly edit: Edit
  readonly value: number
  readonly isSaved: boolean
}

interface Facts {
  credit: number
  vip: number | null
  /** Whole points. */
  balance: number
}

describe.each(testEngines)('two admins and a running bet on the same user, %s', (engine) => {
  const db = useDatabase(engine, { areReset: false })
  let admins: readonly [Subject, Subject]
  let roundId: string
  let deps: IdentityDeps
  let place: ReturnType<typeof createBetPlacer>
  beforeAll(async () => {
    admins = [await createAdmin(db), await createAdmin(db)]
    roundId = (await createRound(db)).id
    place = createBetPlacer({ db, prices: fixedPrices(() => 1), hints: noHints }, encodeBet)
    deps = {
      db,
      settings: {
        referralCode: '',
        referralRequired: 'public',
        supportContact: '',
        teamName: '',
        welcomePoints: 0,
        staffSecondFactor: 'optional',
        publicOrigin: null,
      },
      clock: { now: () => 0 },
      limits: { limit: () => ({ take: async () => null }) } as never,
      hints: { accountChanged: () => {}, balanceChanged: () => {}, noticesChanged: () => {} },
      ledger: { isOpen: () => true },
      fourEyes: { fromMinor: null, hints: { proposalChanged: () => {} } },
    }
  })

  const copyOf = async ({ id }: TestPlayer): Promise<StaffUser> => {
    const row = await readUser(db, id)
    if (row === null) throw new Error('The player is gone.')
    return toStaffUser(row, { capabilities: [] })
  }
  const save = async (nth: 0 | 1, copy: StaffUser, edit: Edit, value: number): Promise<Done> => {
    const patch: UserPatch = {
      version: copy.version,
      username: copy.username,
      creditScore: edit === 'credit' ? value : copy.creditScore,
      vip: edit.endsWith('vip') ? value : copy.vip,
      balanceMinor: edit.startsWith('balance') ? points(100 * value) : copy.balanceMinor,
    }
    const answer = await updateUser(deps, admins[nth], copy.id, patch, null, () => 'the user')
    if (isRefused(answer)) expect(answer.code).toBe('STALE')
    return { edit, value, isSaved: !isRefused(answer) }
  }
  const bet = async (player: TestPlayer): Promise<boolean> => {
    const answer = await place(wish(player, roundId, STAKE))
    expect(answer.ok ? 'accepted' : answer.refusal).toBe('accepted')
    return answer.ok
  }

  const expectSoundBooks = async () => {
    expect(await brokenInvariants(db)).toEqual([])
    expect((await verifyAuditLog(db)).broken).toEqual([])
  }

  test('in every order of their reads and writes, no saved change is lost', async () => {
    const steps = ['read 0', 'read 1', 'save 0', 'save 1', 'bet'] as const
    const orders = permutationsOf(steps).filter(
      (order) => order.indexOf('read 0') < order.indexOf('save 0') && order.indexOf('read 1') < order.indexOf('save 1'),
    )
    expect(orders).toHaveLength(30)
    const players = await createPlayers(db, orders.length)
    for (const [nth, order] of orders.entries()) {
      const player = players[nth] as TestPlayer
      const edits = PAIRS[nth % PAIRS.length] as (typeof PAIRS)[number]
      const copies: StaffUser[] = []
      const expected: Facts = { credit: 100, vip: null, balance: 1000 }
      /** How often the profile and the wallet were written, and when each admin read. */
      const written = { profile: 0, wallet: 0 }
      const read: Array<typeof written> = []
      let saves = 0
      for (const step of order) {
        const admin = step.endsWith('0') ? 0 : 1
        if (step.startsWith('read')) {
          copies[admin] = await copyOf(player)
          read[admin] = { ...written }
        } else if (step === 'bet') {
          expect(await bet(player)).toBe(true)
          expected.balance -= STAKE
          written.wallet++
        } else {
          const act = await save(admin, copies[admin] as StaffUser, edits[admin], 3 + 2 * admin)
          const isOfBalance = act.edit.startsWith('balance')
          // An old profile in the copy would be a change; the balance that the copy had is none (rules §3.8).
          const isFresh =
            read[admin]?.profile === written.profile && (!isOfBalance || read[admin].wallet === written.wallet)
          expect([order, edits, step, act.isSaved]).toEqual([order, edits, step, isFresh])
          if (!act.isSaved) continue
          saves++
          if (act.edit === 'credit') expected.credit = act.value
          if (act.edit.endsWith('vip')) expected.vip = act.value
          if (isOfBalance) expected.balance = 100 * act.value
          if (act.edit !== 'balance') written.profile++
          if (isOfBalance) written.wallet++
        }
      }
      expect([order, edits, (await factsOf([player])).get(player.id)]).toEqual([
        order,
        edits,
        { ...expected, acts: saves },
      ])
    }
    await expectSoundBooks()
  })

  /** The stored state of players after staff edits and bets. */
  async function factsOf(players: readonly TestPlayer[]): Promise<Map<string, Facts & { acts: number }>> {
    const { rows } = await db.query<{ id: string; credit: number; vip: number | null; balance: bigint; acts: bigint }>(
      `select u.id, u.credit_score as credit, u.vip, a.balance,
              (select count(*) from audit_log l where l.target = 'user:' || u.id) as acts
         from users u join ledger_accounts a on a.owner_id = u.id and a.kind = 'wallet' where u.id = any($1::uuid[])`,
      [players.map(({ id }) => id)],
    )
    return new Map(
      rows.map(({ id, balance, acts, ...row }) => [id, { ...row, balance: Number(balance) / 100, acts: Number(acts) }]),
    )
  }

  test.runIf(engine === 'native')(
    'a thousand times at once, nothing that was saved is lost (PostgreSQL only)',
    async () => {
      const TIMES = 1_000
      const AT_ONCE = 25
      const players = await createPlayers(db, TIMES)
      // All players are new, so their copies differ only in identity.
      const copy = await copyOf(players[0] as TestPlayer)
      const done: Array<{ readonly player: TestPlayer; readonly saved: readonly Done[] }> = []
      for (let from = 0; from < TIMES; from += AT_ONCE) {
        const part = players.slice(from, from + AT_ONCE).map(async (player, at) => {
          const nth = from + at
          const edits = PAIRS[nth % PAIRS.length] as (typeof PAIRS)[number]
          const own = { ...copy, id: player.id, username: player.username }
          const acts = [() => save(0, own, edits[0], 3), () => save(1, own, edits[1], 5), () => bet(player)]
          // The order of sending rotates.
          const answers = await Promise.all([...acts.slice(nth % 3), ...acts.slice(0, nth % 3)].map((act) => act()))
          expect(answers).toContain(true)
          done.push({
            player,
            saved: answers.filter((answer) => typeof answer === 'object' && answer.isSaved) as Done[],
          })
        })
        await Promise.all(part)
      }
      const facts = await factsOf(players)
      for (const { player, saved } of done) {
        const of = (name: string) => saved.filter(({ edit }) => edit.includes(name)).map(({ value }) => value)
        const [credit, vip, balance] = [of('credit'), of('vip'), of('balance')]
        // From the same copy, one save of the profile and one of the balance succeed, and neither undoes a bet.
        expect(credit.length + vip.length).toBeLessThanOrEqual(1)
        expect(balance.length).toBeLessThanOrEqual(1)
        expect(facts.get(player.id)).toEqual({
          credit: credit[0] ?? 100,
          vip: vip[0] ?? null,
          balance: 100 * (balance[0] ?? 10) - STAKE,
          acts: saved.length,
        })
      }
      // In every pair at least half of the orders let an edit through.
      expect(done.flatMap(({ saved }) => saved).length).toBeGreaterThan(TIMES / 2)
      await expectSoundBooks()
    },
  )
})

function permutationsOf<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, at) =>
    permutationsOf([...items.slice(0, at), ...items.slice(at + 1)]).map((rest) => [item, ...rest]),
  )
}
