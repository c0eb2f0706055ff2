// Gate: every text field of every call is tried.
import { hash } from '@node-rs/argon2'
import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { clientEvents } from '#contract/events.ts'
import { checkBook } from '#domain/book/check-book.ts'
import { verifyAuditLog } from '#server/features/audit/index.ts'
import { sha256 } from '#server/features/book/index.ts'
import { verifyLedger } from '#server/features/wallet/index.ts'
import type { Logger } from '#server/platform/process/log.ts'
import type { TestApp } from '#testing/app/app.ts'
import { type AuthorityWorld, createAuthorityWorld } from '#testing/app/authority-world.ts'
import { bookOf } from '#testing/book/book-world.ts'
import { type ChatClient, openChatClient } from '#testing/app/chat-client.ts'
import { createPlayers } from '#testing/play/rounds.ts'
import { faultOf, PASSWORD } from '#testing/attack/hostile-requests.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { type JsonSchema, textPlaces, type RightValue } from '#testing/attack/text-places.ts'
import { useApp } from '#testing/app/use-app.ts'

/** Texts that no text field takes: halves of a character, alone, at an end and turned around, and NUL. */
const ILL_FORMED: Readonly<Record<string, string>> = {
  'a first half at the end': 'vì \ud83d',
  'a second half': '\ude00',
  'both halves turned around': 'a\ude00\ud83db',
  NUL: 'a\0b',
}
/** Texts that are well-formed, however strange. The first has something of each kind: acts that happen once get it. */
const WELL_FORMED: Readonly<Record<string, string>> = {
  'some of each': 'Vì 👩‍👩‍👧‍👦 \ufffe\uffff \u202eabc\u2069 e\u0301 \ufeff\ufffd 𝒳',
  noncharacters: '\ufffe\uffff\u{1ffff}',
  'characters beyond 16 bits': '👩‍👩‍👧‍👦𝒳🇻🇳',
  'directions of writing': '\u202ea\u2066b\u2069',
  'the character of lost ones': '\ufffd',
  controls: 'a\u0001\u001b\u007f\u0085b',
  'as long as a body may be': 'ế'.repeat(20_000),
  'a million letters': 'x'.repeat(1_000_000),
}

const logged = vi.fn<(fields: { err?: unknown }, message: string) => void>()
const ignored = () => {}
const log = { error: logged, warn: ignored, info: ignored, debug: ignored } as unknown as Logger

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}
interface Operation {
  readonly parameters?: ReadonlyArray<{ readonly name: string; readonly in: string; readonly schema: JsonSchema }>
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }
}
type Method = Parameters<TestApp['call']>[0]
type IdKind = Parameters<AuthorityWorld['id']>[0]

/** Whose id stands in a path, by the path's beginning. */
const NAMED_BY_PATH: ReadonlyArray<readonly [start: string, kind: IdKind]> = [
  ['/api/v1/bank/', 'bank'],
  ['/api/v1/transaction/', 'request'],
  ['/api/v1/history/', 'bet'],
  ['/api/v1/game/', 'round'],
  ['/api/v1/rounds/', 'round'],
  ['/api/v1/chat/conversations/', 'conversation'],
  ['/api/v1/disputes/', 'dispute'],
  ['/api/v1/files/', 'image'],
  ['/api/v1/user/sessions/', 'session'],
  ['/api/v1/user/', 'user'],
  ['/api/v1/customers/', 'user'],
]
/** Fields without which a text beside them would change nothing. */
const BESIDE: Readonly<Record<string, object>> = {
  'POST /api/v1/user/{id}': { creditScore: 51 },
  'POST /api/v1/transaction': { type: 'DEPOSIT' },
}

type World = AuthorityWorld & { readonly actor: 'player' | 'admin' }

const rightIn =
  (world: World): RightValue =>
  (schema, name) => {
    if (schema.anyOf !== undefined) return rightIn(world)(schema.anyOf[0] ?? {}, name)
    if (schema.enum !== undefined)
      return schema.enum.find((word) => String(word).startsWith('REJECT')) ?? schema.enum[0]
    if (schema.type === 'number') return 10
    if (schema.type === 'integer') return Math.max(schema.minimum ?? 1, 1)
    if (schema.type === 'boolean') return true
    if (schema.type === 'array') return []
    if (schema.type === 'object')
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, field]) => [key, rightIn(world)(field, key)]),
      )
    if (schema.format === 'date-time') return '2026-11-20T00:00:00.000Z'
    if (schema.format === 'date') return '2026-11-20'
    if (name === 'conversationId') return world.id('conversation', world.actor, 'own')
    if (name === 'gameId') return world.id('round', world.actor, 'own')
    if (name === 'transactionId') return world.id('request', world.actor, 'own')
    if (name === 'participantId') return world.actor === 'player' ? world.admin : world.id('user', 'player', 'own')
    if (/^(userId|author|currentUserId)$/.test(name)) return world.id('user', world.actor, 'own')
    if (/id$/i.test(name) || schema.format === 'uuid') return randomUUID()
    if (name === 'list') return 'giao-dich'
    if (name === 'bankNumber') return '0123456789'
    if (name === 'username') return `moi${randomUUID().slice(0, 8)}`
    if (name === 'code') return 'KIMPHIEN'
    if (/password/i.test(name)) return PASSWORD
    return schema.pattern?.includes('{1,18}') === true ? '1.1' : 'một'
  }

describe.each(testEngines)('texts of every form on %s', (engine) => {
  const { db, app } = useApp(engine, { log }, { areReset: false })
  let passwordHash: string

  beforeAll(async () => {
    passwordHash = await hash(PASSWORD)
    await app.http.listen({ port: 0, host: '127.0.0.1' })
  })

  /** @param inPath a text in place of the path's parameter of that name */
  const urlOf = (path: string, world: World, inPath: Readonly<Record<string, string>> = {}) => {
    const [, kind = 'user'] = NAMED_BY_PATH.find(([start]) => path.startsWith(start)) ?? []
    const named = world.id(kind, world.actor, kind === 'user' && world.actor === 'admin' ? 'other' : 'own')
    const others: Readonly<Record<string, string>> = { type: '60s', source: 'simulated', second: '1' }
    return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath[name] ?? others[name] ?? named))
  }

  /** Every text field of every HTTP operation. */
  const fieldsOf = async () => {
    const { paths } = (await app.http.inject('/docs/json')).json<OpenApi>()
    return Object.entries(paths).flatMap(([path, calls]) =>
      Object.entries(calls).flatMap(([lower, { parameters = [], requestBody }]) => {
        const call = `${lower.toUpperCase()} ${path}`
        const method = lower.toUpperCase() as Method
        const body = requestBody?.content['application/json']?.schema
        const inAddress = parameters
          .filter(({ in: place, schema }) => place !== 'header' && textPlaces(schema, () => null).length > 0)
          .map(({ name, in: place }) => ({
            ...{ call, path: name, isBody: false },
            ask: (world: World, text: string) => ({
              method,
              url:
                place === 'path'
                  ? urlOf(path, world, { [name]: text })
                  : `${urlOf(path, world)}?${name}=${encodeURIComponent(text)}`,
              body: body === undefined ? undefined : textPlaces(body, rightIn(world))[0]?.put('x'),
            }),
          }))
        const inBody = (body === undefined ? [] : textPlaces(body, () => null)).map((place, at) => ({
          ...{ call, path: place.path, isBody: true },
          ask: (world: World, text: string) => ({
            ...{ method, url: urlOf(path, world) },
            body: { ...BESIDE[call], ...(textPlaces(body ?? {}, rightIn(world))[at]?.put(text) as object) },
          }),
        }))
        return [...inAddress, ...inBody]
      }),
    )
  }

  const expectWhole = async () => {
    expect((await verifyAuditLog(db)).broken).toEqual([])
    expect((await verifyLedger(db, true)).findings).toEqual([])
    await app.book.turn()
    const { faults } = await checkBook(await bookOf(app), { sha256, rounds: 'all' })
    // The rounds of these worlds have prices of their own, for which no market published a seed.
    expect(faults.filter(({ kind }) => kind !== 'round-before-seed')).toEqual([])
  }

  test('every text field of every call takes or refuses them', { timeout: 600_000 }, async () => {
    const fields = await fieldsOf()
    const faults: unknown[] = []
    const misnamed: unknown[] = []
    const taken = new Map<string, number>()
    for (const { call, path, isBody, ask } of fields) {
      const made = await createAuthorityWorld(db)
      await db.query(`update users set password_hash = $1 where password_hash = '-'`, [passwordHash])
      for (const actor of ['player', 'admin'] as const)
        for (const [kind, text] of Object.entries({ ...ILL_FORMED, ...WELL_FORMED })) {
          const isIllFormed = kind in ILL_FORMED
          // An address holds UTF-8, which has no halves, and is no million letters long.
          if (!isBody && (text.length > 1_000 || !text.isWellFormed())) continue
          const { method, url, body } = ask({ ...made, actor }, text)
          const reply = await app.call(method, url, {
            token: made.tokens[actor],
            ...(body === undefined ? {} : { body }),
            headers: { 'idempotency-key': randomUUID() },
          })
          const { code, details } = reply.body
          const fault = faultOf(reply.status, JSON.stringify(reply.body))
          if (fault !== null) faults.push({ call, path, kind, fault, cause: logged.mock.lastCall?.[0].err })
          if (reply.status < 300) taken.set(`${call} ${path}`, (taken.get(`${call} ${path}`) ?? 0) + 1)
          if (!isIllFormed || [401, 403].includes(reply.status)) continue
          const named = details?.fields?.map((field) => field.path)
          if (reply.status !== 422 || code !== 'TEXT_INVALID' || named?.join() !== path)
            misnamed.push({ call, path, kind, status: reply.status, code, named })
        }
    }
    expect(faults).toEqual([])
    expect(misnamed).toEqual([])
    // If nothing was accepted, the test would have tried nothing.
    expect(fields.length).toBeGreaterThan(60)
    for (const known of [
      'POST /api/v1/user/{id} reason',
      'PATCH /api/v1/transaction/{id} description',
      'POST /api/v1/history/{id}/dispute text',
      'POST /api/v1/customers/{id}/notes text',
      'POST /api/v1/bank nameBank',
      'POST /api/v1/disputes/{id}/answer text',
      'POST /api/v1/staff/views name',
      'GET /api/v1/audit-log target',
    ])
      expect([known, taken.get(known) ?? 0]).toEqual([known, expect.toSatisfy((times: number) => times > 0)])
    await expectWhole()
  })

  test('and so does every text field of every event', async () => {
    const url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`
    const made = await createAuthorityWorld(db)
    const world: World = { ...made, actor: 'player' }
    const [player] = await createPlayers(db, 1)
    if (player === undefined) throw new Error('No player was made')
    const body = { participantId: made.admin }
    const { body: opened } = await app.call('POST', '/api/v1/chat/conversations', {
      token: player.bearer.slice(7),
      body,
    })
    const conversationId = (opened.data as { readonly _id: string })._id
    let client: ChatClient = await openChatClient(url, player)
    const answers: unknown[] = []
    let count = 0
    for (const [name, schema] of Object.entries(clientEvents)) {
      const json = z.toJSONSchema(schema as z.ZodMiniType, { io: 'input', unrepresentable: 'any' }) as JsonSchema
      for (const { path, put } of textPlaces(json, rightIn(world)))
        for (const [kind, text] of Object.entries({ ...ILL_FORMED, ...WELL_FORMED })) {
          count++
          const payload = { type: 'text', tempId: randomUUID(), ...(put(text) as object), conversationId }
          // A frame that is too long ends the connection.
          if (text.length > 60_000) {
            client.socket.emit(name, payload)
            await vi.waitFor(() => expect(client.socket.connected).toBe(false))
            client = await openChatClient(url, player)
            continue
          }
          const answer = await client.ask(name, { ...payload, ...(path === 'tempId' ? { tempId: text } : {}) })
          const { code, details } = answer as { code?: string; details?: { fields?: ReadonlyArray<{ path: string }> } }
          if (code === 'INTERNAL') answers.push({ name, path, kind, code })
          const named = details?.fields?.map((field) => field.path)
          if (kind in ILL_FORMED && (code !== 'TEXT_INVALID' || named?.join() !== path))
            answers.push({ name, path, kind, code, named })
          if (path === 'content' && kind === 'some of each') expect(answer.ok).toBe(true)
        }
    }
    client.close()
    expect(answers).toEqual([])
    expect(count).toBeGreaterThan(10)
    await expectWhole()
  })
})
