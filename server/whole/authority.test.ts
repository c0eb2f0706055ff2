// Gate: every call is made as everybody.
import { describe, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import { CAPABILITIES, type Capability, capabilityOf, type StaffAccess } from '#domain/identity/permissions.ts'
import type { Database } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import {
  ACTORS,
  type Actor,
  type AuthorityWorld,
  createAuthorityWorld,
  type Target,
  TARGETS,
} from '#testing/app/authority-world.ts'
import { useApp } from '#testing/app/use-app.ts'

/** One status for every target, or one each for own, other and absent. */
type Cell = number | readonly [own: number, other: number, absent: number]

interface Row {
  /** The request; `own`, `other` and `absent` differ where a call names an object or a user. */
  readonly ask?: (
    world: AuthorityWorld,
    actor: Actor,
    target: Target,
  ) => { path?: string; body?: unknown; query?: string }
  readonly cells: Readonly<Record<Actor, Cell>>
}

let attempts = 0
const nobody = { anonymous: 401, dead: 401 } as const
/** Anybody who is signed in. */
const signedIn: Row['cells'] = { ...nobody, player: 200, frozen: 200, admin: 200, frozenAdmin: 200 }
const active: Row['cells'] = { ...nobody, player: 200, frozen: 403, admin: 200, frozenAdmin: 403 }
const staff = (admin: Cell): Row['cells'] => ({ ...nobody, player: 403, frozen: 403, admin, frozenAdmin: 403 })
const everybody = (status: number): Row['cells'] => ({
  anonymous: status,
  dead: status,
  player: status,
  frozen: status,
  admin: status,
  frozenAdmin: status,
})

const named =
  (kind: Parameters<AuthorityWorld['id']>[0], body?: unknown): NonNullable<Row['ask']> =>
  (world, actor, target) => ({ path: world.id(kind, actor, target), ...(body === undefined ? {} : { body }) })
const bank = { bankNumber: '0123456789', nameBank: 'A', nameOwner: 'VCB' }
const bet = { score: 10, value: 'UP' }

/**
 * The status of every call for each role (anonymous, a dead token, a player, a frozen player, an admin, a frozen
 * admin), each for the caller's own, another's and an absent id. The list is compared with the routes that the server
 * really serves.
 */
const matrix: Readonly<Record<string, Row>> = {
  'POST /api/v1/auth/login': {
    // A new name each time: after ten failures of one name the answer would be 429.
    ask: () => ({ body: { username: `nobody${attempts++}`, password: 'wrong-password' } }),
    cells: everybody(401),
  },
  'POST /api/v1/auth/register': {
    ask: () => ({ body: { username: 'x', password: 'secret1', rePassword: 'secret1', code: 'KIMPHIEN' } }),
    cells: everybody(422),
  },
  'GET /api/v1/public-config': { cells: everybody(200) },
  'GET /api/v1/market/seeds': { cells: everybody(200) },
  'GET /api/v1/book/anchors': { ask: () => ({ query: 'before=1' }), cells: everybody(200) },
  'GET /api/v1/book/status': { cells: everybody(200) },
  // The rounds and bets of this world are from before the log.
  'GET /api/v1/rounds/{id}/receipt': { ask: named('round'), cells: everybody(404) },
  'GET /api/v1/rounds/{id}/receipt/bets': { ask: named('round'), cells: everybody(404) },
  'GET /api/v1/history/{id}/proof': {
    ask: named('bet'),
    cells: { ...nobody, player: 404, frozen: 404, admin: 404, frozenAdmin: 404 },
  },
  'GET /api/v1/market/evidence/{source}/{second}': { ask: () => ({ path: 'pyth/1' }), cells: everybody(404) },
  'GET /api/v1/book/acts': { cells: everybody(200) },
  'GET /api/v1/book/rates': { cells: everybody(200) },
  // The caller makes no difference: a test sends no page of this origin.
  'POST /api/v1/browser-errors': {
    ask: () => ({ body: { kind: 'script', message: 'TypeError: x', frames: [], screen: '/' } }),
    cells: everybody(403),
  },
  'POST /api/v1/auth/change-password': {
    ask: () => ({ body: { oldPassword: 'secret1', newPassword: 'abc' } }),
    cells: { ...nobody, player: 422, frozen: 403, admin: 422, frozenAdmin: 403 },
  },
  'POST /api/v1/auth/logout': { cells: signedIn },
  // The world's players have no password.
  'POST /api/v1/auth/close-account': {
    ask: () => ({ body: {} }),
    cells: { ...nobody, player: 400, frozen: 403, admin: 400, frozenAdmin: 403 },
  },
  'GET /api/v1/user/sessions': { cells: signedIn },
  // Nobody ends a session of anybody else, staff included.
  'DELETE /api/v1/user/sessions/{id}': {
    ask: named('session'),
    cells: { ...nobody, player: [200, 404, 404], frozen: 403, admin: 404, frozenAdmin: 403 },
  },
  'DELETE /api/v1/user/sessions': { cells: active },
  // A step that never was. The caller's session makes no difference.
  'POST /api/v1/auth/factor': { ask: () => ({ body: { challenge: 'x', code: '000000' } }), cells: everybody(409) },
  // The test's server has no public origin.
  'POST /api/v1/auth/passkey/challenge': { cells: everybody(409) },
  'POST /api/v1/auth/passkey': { ask: () => ({ body: { challenge: 'x', passkey: {} } }), cells: everybody(409) },
  'GET /api/v1/user/factors': { cells: active },
  'POST /api/v1/user/factors/challenge': { cells: active },
  'POST /api/v1/user/factors/proof': {
    ask: () => ({ body: { challenge: 'x', code: '000000' } }),
    cells: { ...active, player: 409, admin: 409 },
  },
  'POST /api/v1/user/factors/totp': { cells: staff(200) },
  'POST /api/v1/user/factors/totp/confirm': {
    ask: () => ({ body: { challenge: 'x', code: '000000', name: 'x' } }),
    cells: staff(409),
  },
  'POST /api/v1/user/factors/passkey': { cells: { ...active, player: 409, admin: 409 } },
  'POST /api/v1/user/factors/passkey/confirm': {
    ask: () => ({ body: { challenge: 'x', passkey: {}, name: 'x' } }),
    cells: { ...active, player: 409, admin: 409 },
  },
  // Nobody there has a factor that another session added; the world's players have no password.
  'POST /api/v1/user/factors/undo': {
    ask: () => ({ body: { oldPassword: 'secret1', newPassword: 'abc' } }),
    cells: staff(422),
  },
  'DELETE /api/v1/user/factors/{id}': { ask: named('user'), cells: { ...active, player: 404, admin: 404 } },
  'POST /api/v1/user/factors/recovery-codes': { cells: staff(404) },
  'GET /api/v1/user/staff-factors': { cells: staff(200) },
  'GET /api/v1/system': { cells: staff(200) },
  // Players have no factor, and their sessions are theirs alone.
  'DELETE /api/v1/user/{id}/factors': { ask: named('user'), cells: staff([403, 404, 404]) },
  'GET /api/v1/user/{id}/sessions': { ask: named('user'), cells: staff([200, 404, 404]) },
  'DELETE /api/v1/user/{id}/sessions': { ask: named('user'), cells: staff([403, 404, 404]) },
  'GET /api/v1/user/data-export': { cells: signedIn },
  'GET /api/v1/user/me': { cells: signedIn },
  'GET /api/v1/user/config': { cells: signedIn },
  'GET /api/v1/user/ledger': { cells: signedIn },
  // The players here have their welcome points.
  'GET /api/v1/user/refill': { cells: active },
  'POST /api/v1/user/refill': { cells: { ...nobody, player: 422, frozen: 403, admin: 403, frozenAdmin: 403 } },
  'GET /api/v1/user/statistics': { cells: signedIn },
  'GET /api/v1/user/limits': { cells: signedIn },
  'PUT /api/v1/user/limits': {
    ask: () => ({ body: { dailyStake: 100, dailyLoss: null, reminderMinutes: null, timeoutUntil: null } }),
    cells: active,
  },
  'GET /api/v1/push': { cells: active },
  'PUT /api/v1/push': {
    ask: () => ({
      body: {
        kinds: { requestDecided: true, careReplied: true, pointsAdjusted: true },
        quietHours: null,
        mayOffer: true,
      },
    }),
    cells: active,
  },
  'PUT /api/v1/push/subscription': {
    ask: () => ({ body: { endpoint: 'http://127.0.0.1/', p256dh: '', auth: '' } }),
    cells: { ...nobody, player: 422, frozen: 403, admin: 422, frozenAdmin: 403 },
  },
  'DELETE /api/v1/push/subscription': { cells: active },
  // A service worker has no token; an old subscription that is not known changes nothing.
  'POST /api/v1/push/renewal': {
    ask: () => ({ body: { oldEndpoint: 'x', oldAuth: 'x', endpoint: 'http://127.0.0.1/', p256dh: '', auth: '' } }),
    cells: everybody(422),
  },
  'GET /api/v1/user/notifications': { cells: signedIn },
  'POST /api/v1/user/notifications/read': {
    ask: () => ({ body: { upTo: '2026-01-01T00:00:00.000Z' } }),
    cells: active,
  },
  'GET /api/v1/user': { cells: staff(200) },
  'POST /api/v1/user/{id}': { ask: named('user', { creditScore: 99 }), cells: staff([200, 200, 404]) },
  // A player with a pending request stays a player.
  'POST /api/v1/user/{id}/role': {
    ask: named('user', { role: 'USER', version: '1.1' }),
    cells: staff([403, 409, 404]),
  },
  'POST /api/v1/user/{id}/capabilities': {
    ask: named('user', { capabilities: ['owner'], version: '1.1' }),
    cells: staff([200, 409, 404]),
  },
  'DELETE /api/v1/user/{id}': { ask: named('user'), cells: staff([403, 409, 404]) },
  'GET /api/v1/history/user': { cells: signedIn },
  'GET /api/v1/history/user/summary': { cells: signedIn },
  'GET /api/v1/history/{id}/ticks': {
    ask: named('bet'),
    cells: { ...nobody, player: [200, 404, 404], frozen: [200, 404, 404], admin: 404, frozenAdmin: 404 },
  },
  'GET /api/v1/history': { cells: staff(200) },
  'GET /api/v1/history/counts': { cells: staff(200) },
  'GET /api/v1/transaction/totals': { cells: staff(200) },
  'GET /api/v1/game/totals': { cells: staff(200) },
  'DELETE /api/v1/history/{id}': { ask: named('bet'), cells: staff([200, 200, 404]) },
  'POST /api/v1/history': {
    ask: (world, actor, target) => ({
      body: { ...bet, gameId: world.id('round', actor, 'own'), userId: world.id('user', actor, target) },
    }),
    cells: { ...nobody, player: [200, 403, 403], frozen: 403, admin: 403, frozenAdmin: 403 },
  },
  'GET /api/v1/game': { cells: active },
  'GET /api/v1/game/current': { ask: () => ({ query: 'type=30s' }), cells: active },
  'GET /api/v1/game/list-all': { cells: active },
  'GET /api/v1/game/by-type/{type}': { ask: () => ({ path: '60s' }), cells: active },
  'POST /api/v1/game/force-create/{type}': { ask: () => ({ path: '120s' }), cells: staff(200) },
  'POST /api/v1/game/{id}': { ask: named('round', { result: 'UP' }), cells: staff([200, 200, 404]) },
  'DELETE /api/v1/game/{id}': { ask: named('round'), cells: staff([200, 200, 404]) },
  'GET /api/v1/bank': {
    ask: (world, actor, target) => ({ query: `userId=${world.id('user', actor, target)}` }),
    cells: { ...nobody, player: [200, 403, 403], frozen: [200, 403, 403], admin: 200, frozenAdmin: [200, 403, 403] },
  },
  'POST /api/v1/bank': {
    ask: (world, actor, target) => ({ body: { ...bank, author: world.id('user', actor, target) } }),
    cells: { ...nobody, player: [200, 403, 403], frozen: 403, admin: 403, frozenAdmin: 403 },
  },
  'PATCH /api/v1/bank/{id}': {
    ask: named('bank', bank),
    cells: { ...nobody, player: 403, frozen: 403, admin: [200, 200, 404], frozenAdmin: 403 },
  },
  'GET /api/v1/transaction': {
    ask: (world, actor, target) => ({ query: `userId=${world.id('user', actor, target)}` }),
    cells: { ...nobody, player: [200, 403, 403], frozen: [200, 403, 403], admin: 200, frozenAdmin: [200, 403, 403] },
  },
  'POST /api/v1/transaction': {
    ask: (world, actor, target) => ({ body: { type: 'DEPOSIT', money: 10, author: world.id('user', actor, target) } }),
    cells: { ...nobody, player: [200, 403, 403], frozen: 403, admin: 403, frozenAdmin: 403 },
  },
  'PATCH /api/v1/transaction/{id}': { ask: named('request', { status: 'ACCEPT' }), cells: staff([200, 200, 404]) },
  'DELETE /api/v1/transaction/{id}': {
    ask: named('request'),
    cells: { ...nobody, player: [200, 404, 404], frozen: 403, admin: [200, 200, 404], frozenAdmin: 403 },
  },
  'GET /api/v1/market': { cells: active },
  'GET /api/v1/market/candles': { cells: active },
  'GET /api/v1/market/ticks': {
    ask: () => ({ query: 'source=simulated&from=2026-01-01T00:00:00.000Z' }),
    cells: active,
  },
  'GET /api/v1/audit-log': { cells: staff(200) },
  'GET /api/v1/overview': { cells: staff(200) },
  'GET /api/v1/attention': { cells: staff(200) },
  'PUT /api/v1/attention/muted': { ask: () => ({ body: { muted: ['request'] } }), cells: staff(200) },
  'GET /api/v1/overview/figures': {
    ask: () => ({ query: 'from=2026-11-20T00:00:00.000Z&to=2026-11-21T00:00:00.000Z' }),
    cells: staff(200),
  },
  'GET /api/v1/chat/users': {
    ask: (world, actor, target) => ({ query: `currentUserId=${world.id('user', actor, target)}` }),
    cells: { ...nobody, player: [200, 403, 403], frozen: 403, admin: [200, 403, 403], frozenAdmin: 403 },
  },
  'GET /api/v1/chat/conversations': {
    ask: (world, actor, target) => ({ query: `userId=${world.id('user', actor, target)}` }),
    cells: { ...nobody, player: [200, 403, 403], frozen: 403, admin: [200, 403, 403], frozenAdmin: 403 },
  },
  // An admin may read any conversation; a player learns nothing of other players' conversations (rules §7).
  'GET /api/v1/chat/conversations/{id}': {
    ask: named('conversation'),
    cells: { ...nobody, player: [200, 404, 404], frozen: 403, admin: [200, 200, 404], frozenAdmin: 403 },
  },
  'GET /api/v1/chat/conversations/{id}/messages': {
    ask: (world, actor, target) => ({ path: world.id('conversation', actor, target) }),
    cells: { ...nobody, player: [200, 404, 404], frozen: 403, admin: [200, 200, 404], frozenAdmin: 403 },
  },
  'POST /api/v1/chat/conversations': {
    ask: (world, actor, target) => ({
      body: { participantId: target === 'own' ? world.admin : world.id('user', actor, target) },
    }),
    // A player must not learn whether an account exists.
    cells: { ...nobody, player: [200, 403, 403], frozen: 403, admin: [403, 200, 403], frozenAdmin: 403 },
  },
  'DELETE /api/v1/chat/conversations/{id}': {
    ask: named('conversation'),
    cells: { ...nobody, player: [200, 404, 404], frozen: 403, admin: [200, 200, 404], frozenAdmin: 403 },
  },
  // A message is its sender's to change, and nobody else learns whether it is there.
  'PUT /api/v1/chat/messages/{id}': {
    ask: named('message', { content: 'a' }),
    cells: { ...nobody, player: [200, 404, 404], frozen: 403, admin: 404, frozenAdmin: 403 },
  },
  'DELETE /api/v1/chat/messages/{id}': {
    ask: named('message'),
    cells: { ...nobody, player: [200, 404, 404], frozen: 403, admin: 404, frozenAdmin: 403 },
  },
  'POST /api/v1/chat/missed': { ask: () => ({ body: { known: [] } }), cells: active },
  'GET /api/v1/chat/unread': { cells: active },
  'GET /api/v1/chat/reply-time': { cells: active },
  'GET /api/v1/chat/search': { ask: () => ({ query: 'text=a' }), cells: active },
  'GET /api/v1/chat/hours': { cells: staff(200) },
  // Somebody else changed them.
  'PUT /api/v1/chat/hours': {
    ask: () => ({ body: { days: Array(7).fill(null), awayText: 'x', version: 0 } }),
    cells: staff(409),
  },
  'GET /api/v1/chat/conversations/{id}/transcript': { ask: named('conversation'), cells: staff([200, 200, 404]) },
  'PUT /api/v1/chat/conversations/{id}/state': {
    ask: named('conversation', { state: 'OPEN', seenSeq: 0, until: null }),
    cells: staff([200, 200, 404]),
  },
  'GET /api/v1/chat/duty': { cells: staff(200) },
  'PUT /api/v1/chat/duty': { ask: () => ({ body: { onDuty: true, capacity: 20 } }), cells: staff(200) },
  'POST /api/v1/chat/duty/activity': { cells: staff(200) },
  'PUT /api/v1/chat/conversations/{id}/tags': {
    ask: named('conversation', { add: ['gấp'], remove: [] }),
    cells: staff([200, 200, 404]),
  },
  'GET /api/v1/chat/tags': { cells: staff(200) },
  'GET /api/v1/chat/conversations/{id}/customer/conversations': {
    ask: named('conversation'),
    cells: staff([200, 200, 404]),
  },
  // The other one is none.
  'POST /api/v1/chat/conversations/{id}/merge': {
    ask: named('conversation', { conversationId: '00000000-0000-4000-8000-000000000000' }),
    cells: staff(404),
  },
  // No conversation of this world has a case.
  'PUT /api/v1/chat/conversations/{id}/topic': {
    ask: named('conversation', { topic: 'BET' }),
    cells: staff(404),
  },
  // A conversation's player alone is asked.
  'GET /api/v1/chat/conversations/{id}/case-question': {
    ask: named('conversation'),
    cells: { ...nobody, player: [200, 404, 404], frozen: 403, admin: 404, frozenAdmin: 403 },
  },
  'POST /api/v1/chat/conversations/{id}/satisfaction': {
    ask: named('conversation', { satisfaction: 'GOOD', text: '' }),
    cells: { ...nobody, player: [409, 404, 404], frozen: 403, admin: 404, frozenAdmin: 403 },
  },
  'GET /api/v1/chat/care-report': {
    ask: () => ({ query: 'from=2026-01-01&to=2026-01-02' }),
    cells: staff(200),
  },
  'GET /api/v1/chat/replies': { cells: staff(200) },
  'POST /api/v1/chat/replies': {
    ask: () => ({ body: { name: 'chao', text: 'a', isShared: false } }),
    cells: staff(200),
  },
  'DELETE /api/v1/chat/replies/{id}': { ask: named('user'), cells: staff(404) },
  'GET /api/v1/chat/conversations/{id}/notes': { ask: named('conversation'), cells: staff([200, 200, 404]) },
  'POST /api/v1/chat/conversations/{id}/notes': {
    ask: (world, actor, target) => ({
      path: world.id('conversation', actor, target),
      body: { noteId: newId(), text: 'x' },
    }),
    cells: staff([200, 200, 404]),
  },
  // No note is there.
  'POST /api/v1/chat/conversations/{id}/notes/read': {
    ask: (world, actor, target) => ({ path: world.id('conversation', actor, target), body: { upTo: newId() } }),
    cells: staff(404),
  },
  'POST /api/v1/chat/conversations/{id}/holder': {
    ask: (world, actor, target) => ({
      path: world.id('conversation', actor, target),
      body: { from: world.admin, to: world.colleague },
    }),
    cells: staff([200, 200, 404]),
  },
  'GET /api/v1/chat/conversations/{id}/customer': { ask: named('conversation'), cells: staff([200, 200, 404]) },
  'GET /api/v1/customers/{id}': { ask: named('user'), cells: staff([200, 200, 404]) },
  'GET /api/v1/customers/{id}/ledger': { ask: named('user'), cells: staff([200, 200, 404]) },
  'GET /api/v1/customers/{id}/banks': { ask: named('user'), cells: staff([200, 200, 404]) },
  'GET /api/v1/customers/{id}/limits': { ask: named('user'), cells: staff([200, 200, 404]) },
  'GET /api/v1/customers/{id}/conversations': { ask: named('user'), cells: staff([200, 200, 404]) },
  'GET /api/v1/customers/{id}/timeline': { ask: named('user'), cells: staff([200, 200, 404]) },
  // Nobody reads or writes notes about themselves.
  'GET /api/v1/customers/{id}/notes': { ask: named('user'), cells: staff([403, 200, 404]) },
  'POST /api/v1/customers/{id}/notes': {
    ask: (world, actor, target) => ({ path: world.id('user', actor, target), body: { noteId: newId(), text: 'x' } }),
    cells: staff([403, 200, 404]),
  },
  'GET /api/v1/staff/find': { ask: () => ({ query: 'q=a' }), cells: staff(200) },
  'GET /api/v1/staff/views': { ask: () => ({ query: 'list=giao-dich' }), cells: staff(200) },
  'POST /api/v1/staff/views': {
    ask: () => ({ body: { list: 'giao-dich', name: 'x', search: {}, isShared: true } }),
    cells: staff(200),
  },
  'DELETE /api/v1/staff/views/{id}': { cells: staff(404) },
  'GET /api/v1/transaction/{id}/dossier': { ask: named('request'), cells: staff([200, 200, 404]) },
  'GET /api/v1/transaction/views': { cells: staff(200) },
  'PUT /api/v1/transaction/views/{id}': {
    ask: (world, actor, target) => ({
      path: newId(),
      body: { transactionId: world.id('request', actor, target) },
    }),
    cells: staff([200, 200, 404]),
  },
  // A page that has nothing open leaves nothing.
  'DELETE /api/v1/transaction/views/{id}': { ask: () => ({ path: newId() }), cells: staff(200) },
  'GET /api/v1/history/{id}/dispute': {
    ask: named('bet'),
    cells: { ...nobody, player: [200, 404, 404], frozen: [200, 404, 404], admin: 404, frozenAdmin: 404 },
  },
  // Staff find no bet of their own.
  'POST /api/v1/history/{id}/dispute': {
    ask: named('bet', { text: 'x' }),
    cells: { ...nobody, player: [200, 404, 404], frozen: 403, admin: 404, frozenAdmin: 403 },
  },
  'GET /api/v1/disputes/{id}': {
    ask: named('dispute'),
    cells: { ...nobody, player: [200, 404, 404], frozen: [200, 404, 404], admin: [200, 200, 404], frozenAdmin: 404 },
  },
  'GET /api/v1/disputes': { cells: staff(200) },
  'GET /api/v1/proposals': { cells: staff(200) },
  'GET /api/v1/proposals/sum': {
    ask: (world, actor, target) => ({ query: `userId=${world.id('user', actor, target)}` }),
    cells: staff([200, 200, 404]),
  },
  // Nothing waits in this world.
  'POST /api/v1/proposals/{id}/confirm': { cells: staff(404) },
  'DELETE /api/v1/proposals/{id}': { ask: () => ({ body: {} }), cells: staff(404) },
  'POST /api/v1/disputes/{id}/answer': {
    ask: named('dispute', { status: 'REJECTED', text: 'x' }),
    cells: staff([200, 200, 404]),
  },
  'POST /api/v1/file-upload': {
    ask: () => ({ body: {} }),
    cells: { ...nobody, player: 400, frozen: 403, admin: 400, frozenAdmin: 403 },
  },
  // The same access as the messages with the image.
  'GET /api/v1/files/{key}': {
    ask: named('image'),
    cells: { ...nobody, player: [200, 404, 404], frozen: 403, admin: [200, 200, 404], frozenAdmin: 403 },
  },
}

describe('who may do what', () => {
  const { db, app } = useApp('embedded', {}, { areReset: false })

  test('every call has its cells, and no cell is without a call', () => {
    const served = Object.entries(app.http.swagger().paths ?? {}).flatMap(([path, calls]) =>
      Object.keys(calls ?? {}).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(Object.keys(matrix).toSorted()).toEqual(served.filter((route) => route.includes(' /api/')).toSorted())
  })

  test.each(Object.entries(matrix))('%s', async (route, { ask, cells }) => {
    const world = await createAuthorityWorld(db)
    const [method, template] = route.split(' ') as ['GET', string]
    const found: Partial<Record<Actor, Cell>> = {}
    for (const actor of ACTORS) {
      const statuses: number[] = []
      for (const target of TARGETS) {
        const { path = newId(), body, query } = ask?.(world, actor, target) ?? {}
        const url = template.replace(/\{\w+\}/, path) + (query === undefined ? '' : `?${query}`)
        const token = world.tokens[actor]
        const reply = await app.call(method, url, { token, ...(body === undefined ? {} : { body }) })
        statuses.push(reply.status)
        // Logging out works once; afterwards the token is a dead one.
        if (route.endsWith('/logout')) break
      }
      const [own = 0, other = own, absent = own] = statuses
      found[actor] = own === other && other === absent ? own : [own, other, absent]
    }
    expect(found).toEqual(cells)
  })
})

async function aSharedView(db: Database, ownerId: string): Promise<string> {
  const id = newId()
  await db.query(
    `insert into saved_views (id, list, owner_id, name, name_key, search, is_shared)
     values ($1, 'giao-dich', $2, 'x', 'x', '{}', true)`,
    [id, ownerId],
  )
  return id
}

async function aSharedReply(db: Database, ownerId: string): Promise<string> {
  const id = newId()
  await db.query(
    `insert into canned_replies (id, owner_id, name, content, is_shared) values ($1, $2, 'x', 'x', true)`,
    [id, ownerId],
  )
  return id
}

/** What an ADMIN needs for a call as a whole; null where being one is enough. */
function neededFor({ access, asStaff }: Endpoint): Capability | null {
  const asked = access.startsWith('staff') ? (access as StaffAccess) : access === 'own-data' ? undefined : asStaff
  return asked === undefined ? null : capabilityOf(asked)
}

interface Part {
  readonly body?: object
  readonly on?: 'admin' | 'view' | 'reply'
  readonly needs: readonly Capability[]
  /** Any of the call's parts admits to all of it. */
  readonly isOneEnough?: boolean
}

/** Bodies of the calls whose parts need something else, and all that each needs. */
const PARTS: Readonly<Record<string, readonly Part[]>> = {
  'POST /api/v1/user/{id}': [
    { body: { score: 7 }, needs: ['money'] },
    { body: { creditScore: 7 }, needs: ['users'] },
    { body: { isPaused: true }, needs: ['users'] },
    { body: { isWin: true }, needs: ['users'] },
    { body: { password: 'matkhau9' }, needs: ['users'] },
    { body: { password: 'matkhau9' }, on: 'admin', needs: ['users', 'owner'] },
    { body: { isPaused: true }, on: 'admin', needs: ['users', 'owner'] },
    { body: { score: 7, creditScore: 7, version: '1.1' }, needs: ['money', 'users'] },
  ],
  'DELETE /api/v1/user/{id}': [{ on: 'admin', needs: ['users', 'owner'] }],
  // One is enough, whichever it is.
  'POST /api/v1/customers/{id}/notes': CAPABILITIES.map((one) => ({ needs: [one], isOneEnough: true })),
  'POST /api/v1/staff/views': CAPABILITIES.map((one) => ({
    body: { list: 'giao-dich', name: 'x', search: {}, isShared: true },
    needs: [one],
    isOneEnough: true,
  })),
  // A colleague's that is shared.
  'DELETE /api/v1/staff/views/{id}': [{ on: 'view', needs: ['owner'] }],
  'DELETE /api/v1/chat/replies/{id}': [{ on: 'reply', needs: ['care', 'owner'] }],
  'POST /api/v1/disputes/{id}/answer': [
    { body: { status: 'REJECTED', text: 'x' }, needs: ['care'] },
    { body: { status: 'UPHELD', text: 'x', correction: 1 }, needs: ['money'] },
  ],
}

describe('which capability', () => {
  const { db, app } = useApp('embedded', {}, { areReset: false })

  const contract = new Map(
    Object.values(endpoints as Record<string, Endpoint>).map((one) => [`${one.method} ${one.path}`, one]),
  )
  /** Each capability alone, none, and all but one. */
  const holdings: ReadonlyArray<readonly Capability[]> = [
    [],
    ...CAPABILITIES.map((one) => [one]),
    ...CAPABILITIES.map((one) => CAPABILITIES.filter((other) => other !== one)),
  ]
  const hold = (userId: string, held: readonly Capability[]) =>
    db.query('update users set capabilities = $2 where id = $1', [userId, held])
  const send = (route: string, world: AuthorityWorld, ask: ReturnType<NonNullable<Row['ask']>>) => {
    const [method, template] = route.split(' ') as ['GET', string]
    const { path = newId(), body, query } = ask
    const url = template.replace(/\{\w+\}/, path) + (query === undefined ? '' : `?${query}`)
    return app.call(method, url, { token: world.tokens.admin, ...(body === undefined ? {} : { body }) })
  }

  test('every served call is one of the contract, and the parts of each that has some are asked', () => {
    expect(Object.keys(matrix).filter((route) => !contract.has(route))).toEqual([])
    const parted = [...contract].filter(([, { parts }]) => parts !== undefined)
    expect(parted.map(([route]) => route).toSorted()).toEqual(Object.keys(PARTS).toSorted())
    for (const [route, { parts = [], access }] of parted) {
      const asked = new Set(PARTS[route]?.flatMap(({ needs }) => needs))
      const whole = access.startsWith('staff:') ? [access.slice('staff:'.length)] : []
      expect([...asked].toSorted()).toEqual([...new Set([...parts, ...whole])].toSorted())
    }
  })

  test.each(Object.entries(matrix).filter(([route]) => !route.endsWith('/logout') && !(route in PARTS)))(
    '%s',
    async (route, { ask, cells }) => {
      const needed = neededFor(contract.get(route) as Endpoint)
      const world = await createAuthorityWorld(db)
      // Nobody who lacks it does anything, or learns what is there.
      for (const held of needed === null ? [] : holdings.filter((one) => !one.includes(needed))) {
        await hold(world.admin, held)
        for (const target of TARGETS) {
          const reply = await send(route, world, ask?.(world, 'admin', target) ?? {})
          expect([held, target, reply.status, reply.body.code, reply.body.details]).toEqual([
            held,
            target,
            403,
            'CAPABILITY_MISSING',
            { missing: [needed] },
          ])
        }
      }
      // It alone, or none, is as good as all of them.
      await hold(world.admin, needed === null ? [] : [needed])
      const reply = await send(route, world, ask?.(world, 'admin', 'own') ?? {})
      expect([route, reply.status]).toEqual([route, Array.isArray(cells.admin) ? cells.admin[0] : cells.admin])
    },
  )

  test.each(Object.entries(PARTS).flatMap(([route, parts]) => parts.map((part) => [route, part] as const)))(
    '%s %j',
    async (route, { body, on, needs, isOneEnough = false }) => {
      const world = await createAuthorityWorld(db)
      const kind = route.includes('disputes') ? 'dispute' : 'user'
      const path =
        on === 'view'
          ? await aSharedView(db, world.colleague)
          : on === 'reply'
            ? await aSharedReply(db, world.colleague)
            : on === 'admin'
              ? world.colleague
              : kind === 'user'
                ? world.id('user', 'player', 'own')
                : world.id(kind, 'admin', 'own')
      const isNote = route.endsWith('/notes')
      const ask = { path, ...(isNote ? { body: { noteId: newId(), text: 'x' } } : body === undefined ? {} : { body }) }
      const barred = isOneEnough ? [[]] : holdings.filter((one) => !needs.every((need) => one.includes(need)))
      for (const held of barred) {
        await hold(world.admin, held)
        const reply = await send(route, world, ask)
        expect([held, reply.status, reply.body.code]).toEqual([held, 403, 'CAPABILITY_MISSING'])
      }
      await hold(world.admin, needs)
      expect((await send(route, world, ask)).status).toBe(200)
    },
  )
})
