// Gate: the last release is installed and started beside this version.
import type { ChildProcess } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { verifyLedger } from '#server/features/wallet/index.ts'
import type { Database } from '#server/platform/database/db.ts'
import { readMigrations } from '#server/platform/database/migrate.ts'
import { openNative } from '#server/platform/database/native.ts'
import { addressOf, startProgram } from '#testing/machines/process.ts'
import { lastReleases, unpackRelease } from '#testing/machines/release.ts'
import { databaseUrl } from '#testing/database/url.ts'

const serverUrl = process.env['TEST_DATABASE_URL'] ?? ''
const releases = lastReleases(inject('isFull') ? 3 : 1)

const here = fileURLToPath(new URL('../..', import.meta.url))
/** Each has one open bet at a time. */
const PLAYERS = 32
const ADMIN = { username: 'admin', password: 'mat-khau-quan-tri' }
const REFERRAL_CODE = 'KIMPHIEN'
const ALONE_MS = 2_000
/** Refusals that a player who does not wait gets: a second open bet, a bet too late, a request too many. */
const EXPECTED = ['BET_OPEN', 'ROUND_CLOSING', 'TOO_MANY_REQUESTS_PENDING']
const PAUSE_MS = 300
/** Time for unpacking, perhaps installing, two starts and the load. */
const LIMIT_MS = 180_000

interface Answer {
  readonly status: number
  readonly data: { readonly _id?: string; readonly access_token?: string; readonly isBettingOpen?: boolean } & Record<
    string,
    unknown
  >
}

describe.each(releases.length > 0 ? releases : ['the last release'])(
  '%s beside this version (needs PostgreSQL and Git’s history)',
  { skip: serverUrl === '' || releases.length === 0 },
  (release) => {
    const name = `test_${Date.now()}_${process.pid}_${randomBytes(4).toString('hex')}`
    const url = serverUrl === '' ? '' : databaseUrl(serverUrl, name)
    let folder: string
    const running: ChildProcess[] = []
    let db: Database

    const onServer = async (statement: string) => {
      const server = openNative({ url: serverUrl, max: 1 })
      await server.query(statement).finally(() => server.close())
    }

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'release-'))
      await onServer(`create database ${name}`)
      db = openNative({ url })
      unpackRelease(release, join(folder, 'release'))
    }, LIMIT_MS)

    afterAll(async () => {
      for (const child of running) child.kill('SIGKILL')
      await db.close()
      await onServer(`drop database if exists ${name} with (force)`)
      rmSync(folder, { recursive: true, force: true })
    })

    /**
     * Starts the server of a tree on the database; both servers have the same keys, as processes of one installation do.
     */
    async function start(tree: string, dataDir: string) {
      const started = startProgram('server/main.ts', {
        folder: tree,
        nodeArgs: [],
        env: {
          DATABASE_URL: url,
          DATA_DIR: join(folder, dataDir),
          AUDIT_KEY: 'ab'.repeat(32),
          GOLD_FEED: 'simulated',
          ADMIN_PASSWORD: ADMIN.password,
          REFERRAL_CODE,
          WELCOME_POINTS: '1000000',
          RATE_LIMIT_FACTOR: '1000',
        },
      })
      running.push(started.child)
      const address = await addressOf(started)
      return { address, child: started.child, printed: () => started.said().replace(/^Kim Phiên: .*\n/m, '') }
    }

    test(
      'both serve players on one database while this version migrates it',
      async () => {
        const wrong: string[] = []
        const refusals = new Set<string>()
        /** Bet ids with the address of the server that accepted them. */
        const bets = new Map<string, string>()
        const requests = new Set<string>()
        const decided = new Set<string>()
        let addresses: readonly string[] = []
        let turn = 0
        let isOver = false
        /** Calls on their way to each server. */
        const onTheWay = new Map<string, number>()
        const count = (address: string, by: 1 | -1) => onTheWay.set(address, (onTheWay.get(address) ?? 0) + by)

        const send = async (
          address: string,
          { method, path }: { readonly method: string; readonly path: string },
          { token, body, key }: { token?: string; body?: unknown; key?: string } = {},
        ): Promise<Answer> => {
          count(address, 1)
          const response = await fetch(address + path, {
            method,
            headers: {
              ...(token !== undefined && { authorization: `Bearer ${token}` }),
              ...(body !== undefined && { 'content-type': 'application/json' }),
              ...(key !== undefined && { 'idempotency-key': key }),
            },
            ...(body !== undefined && { body: JSON.stringify(body) }),
          })
          const text = await response.text()
          count(address, -1)
          if (response.status >= 500) wrong.push(`${method} ${path}: ${response.status} ${text}`)
          const { data, code } = JSON.parse(text) as { data?: Answer['data'] | null; code?: string }
          if (code !== undefined) refusals.add(code)
          return { status: response.status, data: data ?? {} }
        }
        /** Takes the running servers in turn, as a load balancer does. */
        const next = () => addresses[turn++ % addresses.length] ?? ''
        /**
         * Sends a money act, and repeats it at the next server: once the first succeeded, the second must give the same
         * answer.
         */
        const act = async (endpoint: Parameters<typeof send>[1], token: string, body: unknown) => {
          const key = randomUUID()
          const tries = ['', '']
          const [first, again] = [
            await send((tries[0] = next()), endpoint, { token, body, key }),
            await send((tries[1] = next()), endpoint, { token, body, key }),
          ]
          if (first.status < 300 && (again.status !== first.status || again.data._id !== first.data._id))
            wrong.push(`${endpoint.path}: ${first.status} ${first.data._id}, then ${again.status} ${again.data._id}`)
          // A round may begin between the two: then only the second call succeeds.
          return first.status < 300
            ? { address: tries[0] ?? '', id: first.data._id }
            : { address: tries[1] ?? '', id: again.status < 300 ? again.data._id : undefined }
        }

        const settledOfBoth = async (): Promise<number> => {
          const { rows } = await db.query<{ ids: string[] }>(`
          select array_agg(b.id) as ids from bets b join rounds r on r.id = b.round_id
           where r.status = 'ended' and b.status <> 'open' group by round_id`)
          const servers = rows.map(
            ({ ids }) => new Set(ids.map((id) => bets.get(id)).filter((address) => address !== undefined)),
          )
          return servers.filter(({ size }) => size === 2).length
        }

        const old = await start(join(folder, 'release'), 'old')
        addresses = [old.address]
        const migratedBefore = (await db.query('select name from schema_migration')).rows.length

        const setUp = async (...[endpoint, call]: [Parameters<typeof send>[1], Parameters<typeof send>[2]]) => {
          const answer = await send(old.address, endpoint, call)
          expect({ ...answer, path: endpoint.path }).toMatchObject({
            status: expect.toSatisfy((status: number) => status < 300),
          })
          return answer
        }
        const register = async (n: number) => {
          const { data } = await setUp(endpoints.register, {
            body: { username: `nguoichoi${n}`, password: 'bi-mat-123', rePassword: 'bi-mat-123', code: REFERRAL_CODE },
          })
          const token = data.access_token ?? ''
          const bank = { bankNumber: '0123456789', nameBank: 'TEN KHONG THAT', nameOwner: 'Vietcombank' }
          await setUp(endpoints.addBank, { token, body: bank })
          return token
        }
        const tokens = await Promise.all(Array.from({ length: PLAYERS }, (_, n) => register(n)))
        const signIn = await setUp(endpoints.login, { body: ADMIN })
        const adminToken = signIn.data.access_token ?? ''

        const play = async (token: string, player: number) => {
          // Half of the players wait for this version, so that the round in play then has bets through both servers.
          while (player % 2 === 0 && addresses.length < 2 && wrong.length === 0) await sleep(PAUSE_MS)
          for (let step = player; !isOver && wrong.length < 10; step++) {
            const type = step % 4 === 0 ? '60s' : '30s'
            const { path, method } = endpoints.currentRound
            const round = await send(next(), { method, path: `${path}?type=${type}` }, { token })
            if (round.status !== 200) wrong.push(`the round of ${type}: ${round.status}`)
            if (round.data.isBettingOpen === true) {
              const body = {
                gameId: round.data._id,
                score: 10,
                value: step % 2 === 0 ? 'UP' : 'DOWN',
                seenBasis: 'PRICE',
              }
              const { id, address } = await act(endpoints.placeBet, token, body)
              if (id !== undefined) bets.set(id, address)
            }
            if (step % 7 === 0) {
              const { id } = await act(endpoints.fileRequest, token, {
                type: step % 2 === 0 ? 'DEPOSIT' : 'WITHDRAW',
                // All of them together stay below what one admin may move alone in a day.
                money: 5_000,
                description: 'x',
              })
              if (id !== undefined) requests.add(id)
            }
            await sleep(PAUSE_MS)
          }
        }
        const decide = async () => {
          while (!isOver && wrong.length < 10) {
            for (const id of [...requests].filter((one) => !decided.has(one))) {
              const { method, path } = endpoints.decideRequest
              const body = {
                status: decided.size % 3 === 0 ? 'REJECT' : 'ACCEPT',
                description: 'x',
                from: 'IN_PROGRESS',
              }
              const { status } = await send(
                next(),
                { method, path: path.replace('{id}', id) },
                { token: adminToken, body },
              )
              if (status === 200) decided.add(id)
              else wrong.push(`a decision: ${status}`)
            }
            await sleep(PAUSE_MS)
          }
        }
        const load = Promise.all([...tokens.map(play), decide()]).catch(
          (error: unknown) => void wrong.push(String(error)),
        )

        // Rounds accept no bets shortly before their end.
        while (bets.size < PLAYERS / 2 && wrong.length === 0) await sleep(100)
        const betsBefore = bets.size
        const current = await start(here, 'new')
        const migrated = (await db.query('select name from schema_migration')).rows.length
        addresses = [old.address, current.address]
        // A 30-second round that accepted bets through both servers and was settled while both were running.
        let together = 0
        while (together === 0 && wrong.length === 0) {
          await sleep(PAUSE_MS)
          together = await settledOfBoth()
        }
        addresses = [current.address]
        // Requests sent to the old server are answered before it is stopped.
        while ((onTheWay.get(old.address) ?? 0) > 0) await sleep(50)
        old.child.kill('SIGTERM')
        const [code] = (await once(old.child, 'exit')) as [number | null]
        await sleep(ALONE_MS)
        isOver = true
        await load

        expect(wrong).toEqual([])
        expect(code).toBe(0)
        expect([old.printed(), current.printed()]).toEqual(['', ''])
        expect(migrated).toBe(readMigrations().length)

        // Everything acknowledged is stored, and nothing else.
        const idsOf = async (table: string, condition = 'true') =>
          (await db.query<{ id: string }>(`select id from ${table} where ${condition}`)).rows.map(({ id }) => id)
        expect((await idsOf('bets')).toSorted()).toEqual([...bets.keys()].toSorted())
        expect((await idsOf('cash_requests')).toSorted()).toEqual([...requests].toSorted())
        expect((await idsOf('cash_requests', `status <> 'pending'`)).toSorted()).toEqual([...decided].toSorted())
        expect([...refusals].filter((code) => !EXPECTED.includes(code))).toEqual([])
        expect(bets.size).toBeGreaterThan(PLAYERS)
        expect(decided.size).toBeGreaterThan(PLAYERS)

        // No bet of an ended round is open.
        const late = await idsOf(
          'bets',
          `status = 'open' and round_id in (select id from rounds where closes_at < now() - interval '5 s')`,
        )
        expect(late).toEqual([])

        const { findings, transfers } = await verifyLedger(db, true)
        expect(findings).toEqual([])
        expect(transfers).toBeGreaterThan(bets.size)
        console.info(
          `${release}: ${migratedBefore} of ${migrated} migrations, ${bets.size} bets (${betsBefore} before), ${requests.size} requests`,
        )
        current.child.kill('SIGTERM')
        await once(current.child, 'exit')
      },
      LIMIT_MS,
    )
  },
)
