import type { rules } from './rules.ts'

type RuleName = keyof typeof rules

type Snippet = readonly [path: string, text: string]
export interface Samples {
  /** Each snippet must give exactly one finding. */
  readonly wrong: readonly Snippet[]
  /** No snippet may give a finding. */
  readonly fine: readonly Snippet[]
}

/** Samples for each rule. A rule without samples does not compile. */
export const samples: Record<RuleName, Samples> = {
  findWrongTiers: {
    wrong: [
      ['domain/game/a.ts', `import { z } from 'zod/mini'`],
      ['domain/game/a.ts', `import { bet } from '#contract/game.ts'`],
      ['domain/a.ts', `import { bet } from '../contract/game.ts'`],
      ['contract/a.ts', `import { db } from '#server/platform/database/db.ts'`],
      ['contract/a.ts', `import { z } from 'zod'`],
      ['contract/a.ts', `export { x } from 'node:fs'`],
      ['web/a.ts', `import type { Tx } from '#server/platform/database/db.ts'`],
      ['web/a.ts', `const a = () => import('../server/main.ts')`],
      ['server/a.ts', `import { x } from '#web/a.ts'`],
      ['server/a.ts', `type X = import('#web/a.ts').X`],
      ['server/a.ts', `import { x } from '../bench/a.ts'`],
      ['server/a.ts', `import { createPlayers } from '#testing/play/rounds.ts'`],
    ],
    fine: [
      ['domain/game/a.ts', `import { points } from '../money.ts'\nimport { x } from '#domain/money.ts'`],
      ['domain/game/a.test.ts', `import fc from 'fast-check'`],
      ['contract/a.ts', `import * as z from 'zod/mini'\nimport { points } from '#domain/money.ts'`],
      ['server/a.ts', `import { createHash } from 'node:crypto'\nimport fastify from 'fastify'`],
      ['web/a.tsx', `import { useState } from 'react'\nimport './a.css'`],
      ['domain/a.ts', `// import { z } from 'zod'\nconst a = "import x from 'zod'"`],
    ],
  },
  findWrongFeatureImports: {
    wrong: [
      ['server/features/game/a.ts', `import { x } from '#server/features/wallet/accounts.ts'`],
      ['server/features/game/a.ts', `import { x } from '../wallet/accounts.ts'`],
      ['server/features/game/a.test.ts', `import { x } from '../wallet/accounts.ts'`],
      ['server/features/wallet/a.ts', `import { x } from '#server/features/game/index.ts'`],
      ['server/features/market/a.ts', `import type { X } from '#server/features/wallet/index.ts'`],
      ['server/features/audit/a.ts', `import { x } from '#server/features/identity/index.ts'`],
      ['server/platform/a.ts', `import { x } from '#server/features/identity/index.ts'`],
      ['server/app.ts', `import { x } from '#server/features/game/routes.ts'`],
    ],
    fine: [
      ['server/features/game/a.ts', `import { x } from '#server/features/wallet/index.ts'\nimport { y } from './b.ts'`],
      ['server/features/market/a.ts', `import { x } from '#server/features/audit/index.ts'`],
      ['server/features/market/a.test.ts', `import { x } from '#server/features/identity/index.ts'`],
      ['server/app.ts', `import { x } from '#server/features/game/index.ts'`],
    ],
  },
  findWrongWebImports: {
    wrong: [
      ['web/features/game/a.tsx', `import { x } from '#web/features/wallet/api.ts'`],
      ['web/features/game/a.tsx', `import { x } from '../wallet/api.ts'`],
      ['web/features/game/a.tsx', `import { x } from '#web/screens/home-screen.tsx'`],
      ['web/ui/a.tsx', `import { x } from '#web/features/game/api.ts'`],
      ['web/ui/a.tsx', `const a = () => import('../layout/root.tsx')`],
      ['web/platform/a.ts', `import { x } from '#web/features/game/api.ts'`],
      ['web/platform/a.ts', `import { x } from '../ui/button.tsx'`],
      ['web/ui/a.tsx', `import { x } from '#web/lists/data-table.tsx'`],
      ['web/parts/a.tsx', `import { x } from '#web/features/game/api.ts'`],
    ],
    fine: [
      ['web/features/game/a.tsx', `import { x } from './api.ts'\nimport { y } from '#web/ui/button.tsx'`],
      [
        'web/screens/a.tsx',
        `import { x } from '#web/features/game/api.ts'\nimport { y } from '#web/features/wallet/api.ts'`,
      ],
      ['web/layout/a.tsx', `import { x } from '#web/features/identity/api.ts'`],
    ],
  },
  findStrayConnections: {
    wrong: [
      ['server/features/game/a.ts', `import pg from 'pg'`],
      ['server/platform/database/embedded.ts', `import pg from 'pg'`],
      ['server/main.ts', `const x = await import('@electric-sql/pglite')`],
      ['server/app.ts', `import { Redis } from 'ioredis'`],
    ],
    fine: [
      ['server/platform/database/native.ts', `import pg from 'pg'`],
      ['server/platform/hub.ts', `import type { Redis } from 'ioredis'`],
    ],
  },
  findEncodingCommands: {
    wrong: [
      ['server/features/game/place-bets.ts', `import { type Bet, gameEndpoints } from '#contract/game.ts'`],
      ['server/features/game/a.ts', `import { endpoints } from '../../../contract/endpoints.ts'`],
      ['server/features/cashier/a.ts', `import { encodeData } from '#server/platform/http/http.ts'`],
      ['server/features/cashier/a.ts', `import type { Encoded as Kept } from '#server/platform/http/http.ts'`],
      [
        'server/features/cashier/a.ts',
        `import * as z from 'zod/mini'\nconst a = z.encode(requestStatus, request.status)`,
      ],
      ['server/features/cashier/a.ts', `import { encode } from 'zod/mini'`],
    ],
    fine: [
      ['server/features/game/routes.ts', `import { gameEndpoints } from '#contract/game.ts'`],
      ['server/features/game/a.test.ts', `import { gameEndpoints } from '#contract/game.ts'`],
      ['server/features/game/a.ts', `import type { Bet } from '#contract/game.ts'\nconst json = encode(bet)`],
      ['server/features/market/a.ts', `import * as z from 'zod/mini'\nconst quote = z.safeParse(schema, sent)`],
      ['server/platform/sockets/socket-hub.ts', `import * as z from 'zod/mini'\nz.encode(codec, answer)`],
    ],
  },
  findImpureDomain: {
    wrong: [
      ['domain/a.ts', `const now = Date.now()`],
      ['domain/a.ts', `const now = globalThis.Date.now`],
      ['domain/a.ts', `const now = new Date()`],
      ['domain/a.ts', `const now = Date()`],
      ['contract/a.ts', `const x = Math.random()`],
      ['domain/a.ts', `const x = performance.now()`],
      ['domain/a.ts', `const id = crypto.randomUUID()`],
      ['domain/a.ts', `const x = globalThis.crypto`],
      ['domain/a.ts', `setTimeout(() => 1, 5)`],
    ],
    fine: [
      ['domain/a.ts', `// Date.now() is not read here\nconst at = new Date(nowMs)\nconst s = 'Math.random'`],
      ['domain/a.ts', `const x = { performance: 1 }\nconst y = x.performance + deps.fetch`],
      ['domain/a.test.ts', `const now = Date.now()`],
      ['contract/a.ts', `const ms = Date.parse(text)`],
    ],
  },
  findYoungBuiltIns: {
    wrong: [
      ['web/features/game/a.tsx', `const days = Map.groupBy(rows, dayOf)`],
      ['domain/a.ts', `const { promise, resolve } = Promise.withResolvers()`],
      ['contract/a.ts', `const url = URL.parse(text)`],
    ],
    fine: [
      ['server/features/game/a.ts', `const days = Map.groupBy(rows, dayOf)`],
      ['web/features/game/a.test.tsx', `const { promise } = Promise.withResolvers()`],
      ['web/features/game/a.tsx', `const days = groupBy(rows, dayOf)\nconst at = Date.parse(text)`],
    ],
  },
  findStrayClocks: {
    wrong: [
      ['server/features/game/a.ts', `const now = Date.now()`],
      ['server/platform/hub.ts', `const at = new Date().toISOString()`],
      ['server/a.ts', `const clock = Date.now`],
      ['web/features/game/a.tsx', `const left = end - Date.now()`],
    ],
    fine: [
      ['server/platform/process/clock.ts', `const now = Date.now()`],
      ['server/features/game/a.ts', `const at = new Date(nowMs)\nconst t = performance.now()`],
      ['testing/time/a.ts', `const now = Date.now()`],
      ['web/platform/server-time.ts', `const now = Date.now()`],
    ],
  },
  findStraySettings: {
    wrong: [
      ['server/features/game/a.ts', `const url = process.env.PYTH_URL`],
      ['server/main.ts', `const { PORT } = process.env`],
      ['web/a.ts', `const x = process.env['NODE_ENV']`],
    ],
    fine: [
      ['server/platform/process/settings.ts', `export const raw = process.env`],
      ['testing/database/a.ts', `const url = process.env['TEST_DATABASE_URL']`],
      ['server/a.ts', `// process.env is read in settings.ts\nprocess.exit(1)`],
    ],
  },
  findStrayOpeners: {
    wrong: [
      ['server/features/game/a.ts', `const pool = new pg.Pool({})`],
      ['server/platform/database/migrate.ts', `const pool = new Pool({})`],
      ['server/platform/database/native.ts', `const db = await PGlite.create({})`],
      ['server/main.ts', `const db = new PGlite()`],
    ],
    fine: [
      ['server/platform/database/native.ts', `const pool = new pg.Pool({})`],
      ['server/platform/database/embedded.ts', `const db = await PGlite.create({})`],
    ],
  },
  findStrayTransactions: {
    wrong: [
      ['server/features/game/a.ts', `await db.query('begin')`],
      ['server/features/game/a.ts', 'await db.query(`select 1; commit`)'],
      ['server/platform/database/migrate.ts', `await link.send('ROLLBACK')`],
      ['server/a.ts', `await pg.exec('START TRANSACTION')`],
      ['server/a.ts', `await tx.query('savepoint a')`],
    ],
    fine: [
      ['server/platform/database/transaction.ts', `link.send('commit')`],
      ['server/a.ts', `await tx.query('select committed from a')\nlog.info('commit failed')`],
      ['server/a.ts', 'await db.query(`do $$ begin perform 1; end $$`)'],
    ],
  },
  findStrayFields: {
    wrong: [
      ['web/features/game/a.tsx', `const a = <input type="date" />`],
      ['web/ui/a.tsx', `const a = <TextInput label="x" type="number" />`],
      ['web/screens/a.tsx', `import { NumericFormat } from 'react-number-format'`],
    ],
    fine: [
      ['web/ui/a.tsx', `const a = <input type="text" />`],
      ['web/ui/number-input.tsx', `import { NumberFormatBase } from 'react-number-format'`],
    ],
  },
  findStrayFormats: {
    wrong: [
      ['web/features/game/a.tsx', `const f = new Intl.NumberFormat('en-US')`],
      ['web/features/game/a.tsx', `const text = amount.toLocaleString()`],
      ['web/screens/a.tsx', `const text = at.toLocaleDateString('vi-VN')`],
      ['web/ui/a.tsx', `const f = new Intl.DateTimeFormat('vi-VN')`],
      ['domain/money.ts', `const f = Intl.NumberFormat`],
    ],
    fine: [
      ['web/platform/formats.ts', `const f = new Intl.NumberFormat('en-US')`],
      ['domain/market/hours.ts', `const f = new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York' })`],
      ['web/a.ts', `const key = name.toLowerCase()\nconst c = new Intl.Collator('vi')`],
    ],
  },
  findStrayStorage: {
    wrong: [
      ['web/features/game/a.ts', `localStorage.setItem('a', 'b')`],
      ['web/layout/a.tsx', `const token = window.localStorage.getItem('access_token')`],
      ['web/a.ts', `sessionStorage.clear()`],
      ['web/boot/head.ts', `sessionStorage.clear()`],
      ['web/a.ts', `const open = indexedDB.open('a')`],
      ['web/features/chat/a.ts', `import { set } from 'idb-keyval'`],
      ['web/platform/storage.ts', `import { createStore } from 'idb-keyval'`],
      ['web/platform/a.ts', `const cache = await globalThis.caches.open('a')`],
      ['web/a.ts', `document.cookie = 'a=b'`],
      ['web/a.ts', `await cookieStore.set('a', 'b')`],
      ['web/a.ts', `new Notification(text)`],
    ],
    fine: [
      ['web/platform/storage.ts', `localStorage.setItem('a', 'b')`],
      ['web/platform/user-entries.ts', `import { set } from 'idb-keyval'`],
      ['web/platform/book-notes.ts', `import { update } from 'idb-keyval'`],
      ['web/service-worker.js', `caches.open('a')`],
      ['web/layout/sidebar-cookie.ts', `document.cookie = 'a=b'`],
      ['web/a.ts', `const one = { cookie: 1, caches: 2 }\nread(one.cookie)`],
      ['web/a.ts', `// localStorage is not touched\nconst a = 'localStorage'`],
    ],
  },
  findRawEmits: {
    wrong: [
      ['web/features/chat/a.ts', `socket.emit('join_room', { conversationId })`],
      ['web/features/chat/a.ts', `socket.emit(name, writeEvent(name, payload))`],
      ['web/features/chat/a.ts', `await socket.timeout(5).emitWithAck('send_message', wire)`],
      ['web/platform/socket-connection.ts', `socket.emit(join, payload)`],
      ['web/platform/socket.ts', `socket.emit(name, writeEvent(name, payload))`],
      ['web/platform/socket-connection.ts', `socket?.volatile.emit('typing_start', wire)`],
      ['web/platform/socket-connection.ts', `socket.timeout(5).emitWithAck(name)`],
    ],
    fine: [
      ['web/platform/socket-connection.ts', `socket.emit(name, writeEvent(name, payload))`],
      [
        'web/platform/socket-connection.ts',
        `const sent = socket.timeout(5).emitWithAck(name, writeEvent(name, payload))`,
      ],
      ['web/platform/socket-connection.ts', `emit(leave, payload)`],
      ['web/testing/fake-chat.ts', `emit('receive_message', message)`],
      ['web/platform/socket.test.ts', `socket.emit('x', 1)`],
      ['server/platform/a.ts', `io.to(rooms).emit(name, payload)`],
    ],
  },
  findRawColours: {
    wrong: [
      ['web/styles/app.css', `.a { color: #fff }`],
      ['web/styles/app.css', `.a { background: rgb(0 0 0 / 0.5) }`],
      ['web/styles/app.css', `.a { color: white; }`],
      ['web/ui/a.tsx', `const a = <b className="bg-[#1c1917]" />`],
      ['web/ui/a.tsx', `const a = <b className="p-2 text-red-500" />`],
      ['web/ui/a.tsx', 'const a = `hover:bg-white ${x}`'],
      ['web/features/game/a.ts', `const line = 'oklch(0.7 0.1 90)'`],
    ],
    fine: [
      ['web/styles/tokens.css', `:root { --color-ground: #f6f4f0 }`],
      ['web/styles/app.css', `/* not #fff */ .a { color: var(--color-up); background: transparent; white-space: pre }`],
      ['web/styles/app.css', `.a { color: color-mix(in srgb, var(--color-up) 20%, transparent); }`],
      ['web/ui/a.tsx', `import { x } from '#web/a.ts'\nconst a = <a href="#main" className="text-up bg-surface-2" />`],
      ['web/a.ts', `class A { #abc = 1 }`],
    ],
  },
  findSecondWays: {
    wrong: [
      ['web/features/game/a.ts', `import { useMutation, useQuery } from '@tanstack/react-query'`],
      ['web/features/game/a.tsx', `import { Controller, useForm } from 'react-hook-form'`],
      ['web/ui/a.tsx', `function A() { const [isBusy, setIsBusy] = useState(false) }`],
      ['web/features/game/a.tsx', `const query = { queryKey: ['admin', 'rounds'], queryFn: load }`],
      ['web/layout/a.ts', `const isGone = (error: unknown) => error instanceof ApiError && error.status === 404`],
    ],
    fine: [
      ['web/ui/use-act.ts', `import { useMutation } from '@tanstack/react-query'`],
      [
        'web/features/game/a.tsx',
        `import { useQuery } from '@tanstack/react-query'\nimport { Controller } from 'react-hook-form'`,
      ],
      [
        'web/ui/a.tsx',
        `const { start, isBusy } = useAct({ run, failText })\nconst [isOpen, setIsOpen] = useState(false)`,
      ],
      ['web/features/game/own-bets-api.ts', `const query = { queryKey: [...betsKey, page], queryFn: load }`],
      ['web/platform/http.ts', `const refusalOf = (error: unknown) => (error instanceof ApiError ? error : undefined)`],
      ['web/features/game/a.test.ts', `expect(error instanceof ApiError).toBe(true)`],
    ],
  },
  findBareWaits: {
    wrong: [
      ['web/ui/a.test.tsx', `import { screen } from '@testing-library/react'\nawait expect.poll(calls).toBe(1)`],
      ['web/ui/a.test.tsx', `import { draw } from '#web/testing/render.tsx'\nawait vi.waitFor(() => isDone())`],
    ],
    fine: [
      ['web/ui/a.test.tsx', `import { act } from '@testing-library/react'\nawait act(() => vi.waitFor(isDone))`],
      ['web/routes.test.tsx', `import { vi } from 'vitest'\nawait vi.waitFor(() => expect(router.state).toBe('idle'))`],
    ],
  },
  findDefaultExports: {
    wrong: [
      ['web/screens/a.tsx', `export default function A() {}`],
      ['server/a.ts', `const a = 1\nexport { a as default }`],
      ['domain/a.ts', `export { a as default } from './b.ts'`],
    ],
    fine: [
      ['vite.config.ts', `export default {}`],
      ['testing/database/global-setup.ts', `export default async function setUp() {}`],
      ['web/a.ts', `import a from 'a'\nexport const b = a`],
    ],
  },
  findBarrels: {
    wrong: [
      ['web/ui/index.ts', `export { A } from './a.tsx'\nexport { B } from './b.tsx'`],
      ['domain/game/index.ts', `export * from './bet.ts'`],
      ['server/platform/all.ts', `export const a = 1\nexport * from './db.ts'`],
      ['server/features/game/index.ts', `export * from './bet.ts'`],
    ],
    fine: [
      ['server/features/game/index.ts', `export { a } from './a.ts'`],
      ['domain/a.ts', `export { b } from './b.ts'\nexport const a = 1`],
    ],
  },
  findLooseTexts: {
    wrong: [
      ['web/a.tsx', 'const a = <p>{gameTexts.a}{isB && ` · ${b}`}</p>'],
      ['web/a.tsx', 'const a = <p>{isB && <b />}{gameTexts.a}</p>'],
      ['web/a.tsx', 'const a = <p><i />{isB ? formatCount(b) : <b />}</p>'],
      ['web/a.tsx', 'const a = <>Một <b /></>'],
    ],
    fine: [
      ['web/a.tsx', 'const a = <p>{isB ? gameTexts.a : <b />}</p>'],
      ['web/a.tsx', 'const a = <p><span>{gameTexts.a}</span>{isB && <b />}</p>'],
      ['web/a.tsx', 'const a = <p>{gameTexts.a}{isB && <b />}</p>'],
      ['web/a.test.tsx', 'const a = <>Một <b /></>'],
    ],
  },
  findBareTexts: {
    wrong: [
      ['contract/a.ts', `const name = z.string().check(z.maxLength(5))`],
      ['contract/a.ts', `const body = z.record(text, z.unknown())`],
      ['contract/a.ts', `const body = z.optional(z.any())`],
      ['contract/a.ts', `const count = z.coerce.string()`],
      ['contract/a.ts', `import { string } from 'zod/mini'`],
    ],
    fine: [
      ['contract/codecs.ts', `const text = z.string()`],
      ['contract/a.ts', `import { text } from './codecs.ts'\nconst name = text.check(z.maxLength(5))`],
      ['contract/a.test.ts', `const name = z.string()`],
      ['server/a.ts', `const name = z.string()`],
      ['contract/a.ts', `const kind = z.enum(['a', 'b'])`],
    ],
  },
  findForeignWrites: {
    wrong: [
      ['server/features/game/a.ts', `const sql = 'update ledger_accounts set balance = 0'`],
      ['server/features/game/a.ts', 'db.query(`with x as (\n  insert into  users (id) values ($1)) select 1`)'],
      ['server/features/identity/a.ts', `const sql = 'DELETE FROM ledger_transfers'`],
      ['server/features/audit/a.ts', `const sql = 'truncate table "bets"'`],
      ['server/features/game/a.ts', "const BOOK = sql`insert into ledger_transfers (id) values (${'id'})`"],
      ['server/platform/a.ts', `const sql = 'update only rounds r set status = $1'`],
      ['server/main.ts', `const sql = 'insert into schema_migration values (1)'`],
    ],
    fine: [
      ['server/features/wallet/a.ts', `const sql = 'update ledger_accounts set balance = 0'`],
      ['server/features/game/a.ts', `const sql = 'select 1 from users u join bets b on true for update of users'`],
      ['server/features/game/a.ts', `const sql = 'select 1 from ledger_accounts where id = 1 for update'`],
      [
        'server/features/wallet/a.ts',
        `const s = 'insert into idempotency_keys values (1) on conflict (key) do update set answer = 1'`,
      ],
      ['testing/play/a.ts', `const sql = 'delete from users'`],
      ['server/platform/database/migrate.ts', `const sql = 'insert into schema_migration values (1)'`],
      ['server/features/market/a.ts', `// delete from users\nconst text = 'we update users daily, by mail'`],
    ],
  },
  findRawTickReads: {
    wrong: [
      ['server/features/game/a.ts', `const sql = 'select price from ticks where second = $1'`],
      ['server/features/market/candles.ts', 'db.query(`select 1 from bets b\n  left join  ticks t on true`)'],
      ['server/features/market/a.ts', `const sql = 'select evidence FROM "tick_evidence"'`],
    ],
    fine: [
      ['server/features/market/ticks.ts', `const sql = 'select price from ticks where second = $1'`],
      ['server/features/game/a.ts', 'db.query(`select price from ${TICKS_SO_FAR} t where second = $1`)'],
      ['server/features/game/a.test.ts', `const sql = 'select price from ticks'`],
      ['server/features/market/a.ts', `const sql = 'insert into ticks (source, second) select 1 from ticks_of_a_test'`],
    ],
  },
  findCountedPlaceholders: {
    wrong: [
      ['server/features/game/a.ts', 'const sql = `select 1 limit $${params.length + 1}`'],
      ['server/features/game/a.ts', 'const CLOSE = `update bets set stake = $${AT + 8}::bigint where id = $${AT}`'],
      ['server/platform/a.ts', 'const place = (value: Param) => `$${params.push(value)}`'],
      ['server/a.ts', `const text = 'select $' + n`],
      ['bench/a.ts', 'const text = sql`select $${n}`'],
    ],
    fine: [
      ['server/platform/database/sql.ts', 'const place = `$${values.push(value)}`'],
      ['server/features/game/a.ts', `const sql = 'select 1 from bets where id = $1'`],
      ['server/features/game/a.ts', "const CLOSE = sql`select ${'betIds'}::uuid[] limit ${params.add(1)}`"],
      ['server/a.ts', 'await tx.query(`do $$ begin perform ${x}; end $$`)'],
      ['server/features/game/a.test.ts', 'const text = `$${n}`'],
    ],
  },
  findWireWords: {
    wrong: [
      ['server/features/identity/a.ts', `const a = { isWin: true }`],
      ['server/features/identity/a.ts', `const a = user.isPaused`],
      ['web/features/game/a.tsx', `interface A { score: number }`],
      ['web/features/game/a.tsx', `const n1 = 1`],
      ['web/features/game/a.tsx', `const a = row['nameBank']`],
      ['domain/banks/a.ts', `const a = { 'bankNumber': 1 }`],
      ['domain/cashier/a.ts', `interface Filing { pass: string }`],
      ['web/a.ts', `const isWinning = status === 'WIN'`],
      ['server/a.ts', `const role = 'USER'`],
      ['server/features/game/a.ts', `const a = { value: 'up' }`],
      ['server/migrations/0009_a.sql', `create table a (\n  turn_number integer\n)`],
      ['server/migrations/0009_a.sql', `create table a (score bigint)`],
    ],
    fine: [
      ['contract/game.ts', `const a = { n1: 1, isWin: true, status: 'WIN' }`],
      ['server/a.test.ts', `const body = { score: 10, value: 'UP' }`],
      ['server/features/cashier/a.ts', `const REQUEST_SORTS = { money: 'c.amount' } as const`],
      [
        'server/a.ts',
        `// n1 is the wire's\nconst pass = () => 1\nconst [isPaused, score] = [pass(), 1]\nconst creditScore = 1\nconst text = 'your score is high'`,
      ],
      ['server/features/game/a.ts', `const a = answer.value`],
      ['web/ui/a.tsx', `const a = <input value={x} />`],
      ['server/a.ts', `const source = 'ADMIN'\nconst basis = 'PRICE'`],
      [
        'server/migrations/0009_a.sql',
        `-- score is the wire's\ncreate table a (credit_score integer, text text default 'score')`,
      ],
    ],
  },
  findLeftovers: {
    wrong: [
      ['server/a.ts', `// TODO: later`],
      ['server/a.ts', `// @ts-ignore\nconst a: number = 'x'`],
      ['web/a.ts', `// oxlint-disable-next-line no-console`],
      ['server/a.test.ts', `test.skip('a', () => {})`],
      ['server/a.test.ts', `describe.only('a', () => {})`],
      ['e2e/a.ts', `test.only.each([1])('a', () => {})`],
    ],
    fine: [
      ['server/a.ts', `// oxlint-disable-next-line no-console -- the first start prints the password once.`],
      ['server/a.test.ts', `test.skipIf(url === undefined)('a', () => {})`],
      ['server/a.ts', `const skipped = list.skip(3)`],
    ],
  },
  findWrongFileNames: {
    wrong: [
      ['server/features/game/placeBet.ts', ''],
      ['web/ui/Button.tsx', ''],
      ['domain/money_text.ts', ''],
    ],
    fine: [
      ['server/features/game/place-bets.test.ts', ''],
      ['server/migrations/0001_identity.sql', ''],
      ['web/tsconfig.json', ''],
    ],
  },
  findMachinePaths: {
    wrong: [
      ['README.md', `cd /home/anna/kim-phien`],
      ['docs/a.md', `see /work/shared`],
      ['package-lock.json', `"resolved": "https://registry.npmjs.org/a/-/a-1.0.0.tgz"`],
      ['a.md', `http://npm.registry.example/a`],
    ],
    fine: [
      ['docs/a.md', 'the folder ./data, /livez, web/home/a.ts, https://hermes.pyth.network'],
      ['a.ts', `import x from '../workers/a.ts'`],
    ],
  },
}
