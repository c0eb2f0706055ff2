import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoints.ts'
import { CARE_DESK } from '#domain/chat/conversation.ts'
import { dayOf } from '#domain/day.ts'
import type { Database } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import { bareToken, type ChatClient, openSockets } from '#testing/app/chat-client.ts'
import { createPlayers, type TestPlayer } from '#testing/play/rounds.ts'
import { waitFor } from '#testing/time/until.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { adminRequestTexts } from '#web/features/admin-requests/admin-request-texts.ts'
import { besideTexts } from '#web/features/chat/beside-texts.ts'
import { chatTexts } from '#web/features/chat/chat-texts.ts'
import { deskTexts } from '#web/features/chat/desk-texts.ts'
import { notesTexts } from '#web/features/chat/notes-texts.ts'

/** This text is in every note, and in nothing else. */
const SECRET = 'chi-nhan-vien-biet'
const ADMINS = 4
const IN_BROWSERS = 2
/** How long a person waits for the effect of a key. */
const PATIENCE_MS = 20_000
const QUESTIONS = [
  'Mình chưa rút được',
  'Lệnh của mình bị huỷ',
  'Nạp rồi mà chưa thấy',
  'Quên mật khẩu thì sao',
  'Alo shop',
]
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const field = (page: Page) => page.getByLabel(chatTexts.messageLabel)
const noteField = (page: Page) => page.getByLabel(notesTexts.field)
const tab = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) })
const rows = (page: Page) =>
  page.getByRole('region', { name: chatTexts.conversations }).getByRole('list').getByRole('button')

/** Opens a browser of one person and keeps its page's errors. */
async function openDesk(browser: Browser, url: string, who: TestPlayer, path: string, errors: string[]): Promise<Page> {
  const kept = { access_token: bareToken(who), signed_in_at: String(Date.now()), rules_read: 'yes' }
  const localStorage = Object.entries(kept).map(([name, value]) => ({ name, value }))
  const context: BrowserContext = await browser.newContext({
    ...{ baseURL: url, locale: 'vi-VN', serviceWorkers: 'block', viewport: { width: 1280, height: 800 } },
    storageState: { cookies: [], origins: [{ origin: url, localStorage }] },
  })
  context.setDefaultTimeout(60_000)
  context.on('weberror', (error) => errors.push(error.error().message))
  context.on('console', (message) => {
    if (message.type() === 'error' && !/^Failed to load resource|WebSocket connection to/.test(message.text()))
      errors.push(message.text())
  })
  const page = await context.newPage()
  await page.goto(path)
  return page
}

interface Tally {
  readonly acts: Record<string, number>
  keys: number
}

/** The acts that an admin does by keyboard on the open conversation, one after the other. */
const ACTS = ['answer', 'canned', 'note', 'handOver', 'snooze', 'done', 'sendAndDone'] as const

/** An admin's shift: opens the longest waiting player by key, and deals with them, until nobody waits. */
async function shift(page: Page, of: { nth: number; colleague: string; tally: Tally; isOver: () => boolean }) {
  const { nth, colleague, tally, isOver } = of
  const press = async (key: string) => {
    tally.keys += 1
    await page.keyboard.press(key)
  }
  const acts: Readonly<Record<(typeof ACTS)[number], () => Promise<void>>> = {
    async answer() {
      await press('r')
      await page.keyboard.type('Mình xem ngay nhé')
      await press('Enter')
    },
    async canned() {
      await press('r')
      await page.keyboard.type('/chao')
      await page.getByRole('option', { name: /chao/ }).first().waitFor({ timeout: PATIENCE_MS })
      await press('Enter')
      await press('Control+Enter')
    },
    async note() {
      await press('n')
      await noteField(page).waitFor({ timeout: PATIENCE_MS })
      await page.keyboard.type(`@${colleague} ${SECRET}`)
      await press('Enter')
      await page.getByRole('note').filter({ hasText: SECRET }).last().waitFor({ timeout: PATIENCE_MS })
      await press('r')
      await acts.sendAndDone()
    },
    async handOver() {
      await acts.answer()
      await press('Escape')
      await press('g')
      await page.getByRole('menuitem', { name: colleague }).press('Enter', { timeout: PATIENCE_MS })
      await page.getByRole('alertdialog').getByRole('button').last().press('Enter', { timeout: PATIENCE_MS })
      await page.getByRole('alertdialog').waitFor({ state: 'detached', timeout: PATIENCE_MS })
    },
    async snooze() {
      await press('h')
      const dialog = page.getByRole('dialog', { name: deskTexts.snoozeTitle })
      await dialog
        .getByRole('button', { name: new RegExp(deskTexts.snoozeChoices.hours) })
        .press('Enter', { timeout: PATIENCE_MS })
    },
    done: () => press('e'),
    async sendAndDone() {
      await press('r')
      await page.keyboard.type('Xong rồi bạn nhé')
      await press('Control+Enter')
    },
  }
  let turn = nth
  for (let idle = 0; idle < 8 && !(isOver() && idle > 1);) {
    await tab(page, chatTexts.tabs.waiting).click()
    if ((await rows(page).count()) === 0) {
      idle += 1
      await sleep(500)
      continue
    }
    idle = 0
    const act = ACTS[turn++ % ACTS.length] ?? 'answer'
    try {
      await press('Escape')
      await press('j')
      await field(page).waitFor({ timeout: PATIENCE_MS })
      // A conversation that nobody holds is claimed by the first answer; acts of a holder need that answer first.
      if (await page.getByRole('button', { name: besideTexts.claim, exact: true }).isVisible())
        await page
          .getByRole('button', { name: besideTexts.claim, exact: true })
          .press('Enter', { timeout: PATIENCE_MS })
      await acts[act]()
      tally.acts[act] = (tally.acts[act] ?? 0) + 1
    } catch {
      // Somebody else was faster, or the player wrote meanwhile.
      tally.acts['beside'] = (tally.acts['beside'] ?? 0) + 1
      await press('Escape')
    }
    await sleep(150)
  }
}

/**
 * A player's visit at a socket: asks, thanks when the case is done, edits, takes back, sends a picture. Returns the
 * acknowledged acts.
 */
async function visit(client: ChatClient, url: string, nth: number, sent: Map<string, string>) {
  const token = bareToken(client.player)
  const send = async (content: string, type: 'text' | 'image' = 'text') => {
    const tempId = newId()
    const message = { receiverId: CARE_DESK.id, content, type, tempId }
    let answer = await client.ask('send_message', message).catch(() => null)
    // Sends the same message again until it is acknowledged, as the product's client does.
    for (let tries = 0; answer === null && tries < 12; tries++)
      answer = await client.ask('send_message', message).catch(() => null)
    if (answer?.ok !== true) throw new Error(`A player's message was refused: ${answer?.code}`)
    const { _id: id } = answer['message'] as { _id: string }
    sent.set(id, tempId)
    return id
  }
  const first = await send(`${QUESTIONS[nth % QUESTIONS.length]} #${nth}`)
  if (nth % 5 === 1)
    await callEndpoint(endpoints.editMessage, { params: { id: first }, body: { content: `Sửa lại #${nth}` }, token })
  if (nth % 7 === 2) {
    const body = new FormData()
    body.append('file', new Blob([Buffer.from(PNG, 'base64')]))
    const { method, path, data } = endpoints.uploadFile
    const stored = await fetch(url + path, { method, headers: { authorization: client.player.bearer }, body })
    await send(z.decode(data, ((await stored.json()) as { data: never }).data).url, 'image')
  }
  if (nth % 9 === 3) await callEndpoint(endpoints.retractMessage, { params: { id: await send('Nhầm rồi') }, token })
  await waitFor(() => client.told('receive_message').some(({ senderId }) => isStaff(senderId)), 90_000)
  await send('Cảm ơn bạn')
  if (nth % 4 === 0) await send('À còn một câu nữa')
}
const isStaff = (sender: unknown) => (sender as { role?: string }).role === 'ADMIN'

/** Counts by SQL the conversations that are not in the state that the messages and acts give them. */
async function countWrong(db: Database, playerIds: readonly string[]) {
  const count = async (sql: string) =>
    Number((await db.query<{ n: bigint }>(`select count(*) as n from ${sql}`, [playerIds])).rows[0]?.n)
  const OF = 'conversations c where c.player_id = any($1::uuid[])'
  const staff = `m.conversation_id = k.conversation_id and m.sender_id <> k.player_id`
  return {
    'seqs with holes': await count(
      `${OF} and c.last_seq <> (select count(*) from messages m where m.conversation_id = c.id)`,
    ),
    // A player waits from their first message since the last answer, or since their case was done.
    'waits unlike messages': await count(
      `${OF} and (select w.since from conversations_waiting w where w.conversation_id = c.id) is distinct from (
          select min(m.sent_at) from messages m where m.conversation_id = c.id and m.sender_id = c.player_id
             and m.sent_at > greatest(
               (select max(s.sent_at) from messages s where s.conversation_id = c.id and s.sender_id <> c.player_id),
               (select max(k.done_at) from care_cases k where k.conversation_id = c.id), 'epoch'))`,
    ),
    'messages outside a case': await count(
      `conversations c join messages m on m.conversation_id = c.id and m.sender_id = c.player_id
        where c.player_id = any($1::uuid[]) and 1 <> (select count(*) from care_cases k where k.conversation_id = c.id
          and m.sent_at >= k.opened_at and (k.done_at is null or m.sent_at < k.done_at))`,
    ),
    'first replies unlike messages': await count(
      `care_cases k where k.player_id = any($1::uuid[]) and k.first_reply_at is distinct from (
         select min(m.sent_at) from messages m where ${staff} and m.sent_at > k.opened_at
            and m.sent_at <= coalesce(k.done_at, 'infinity'))`,
    ),
    'asked again unlike cases': await count(
      `care_cases k where k.player_id = any($1::uuid[]) and k.is_reopened <> exists (
         select from care_cases later where later.conversation_id = k.conversation_id and later.opened_at > k.opened_at)`,
    ),
  }
}

/**
 * A day of customer care: four admins at their desks in browsers, by keys, and players who write, thank, edit and send
 * pictures from sockets and pages. Returns counts of what happened, and of everything that is wrong.
 */
export async function dayOfCare(db: Database, url: string, count: number) {
  const admins = await createPlayers(db, ADMINS, { role: 'admin', prefix: 'a', welcomePoints: 0 } as const)
  const players: TestPlayer[] = await createPlayers(db, count)
  const errors: string[] = []
  const tally: Tally = { acts: {}, keys: 0 }
  for (const admin of admins)
    await callEndpoint(endpoints.saveReply, {
      body: { name: 'chao', text: 'Chào {tên}, mình nghe đây', isShared: false },
      token: bareToken(admin),
    })
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_SHELL_PATH'] ?? '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox'],
  })
  const clients = await openSockets(url, players)
  try {
    const desks = await Promise.all(admins.map((admin) => openDesk(browser, url, admin, '/admin/chat', errors)))
    await Promise.all(desks.map((page) => tab(page, chatTexts.tabs.waiting).waitFor()))
    const asking = players[2] as TestPlayer
    await callEndpoint(endpoints.addBank, {
      token: bareToken(asking),
      body: { bankName: 'Vietcombank', accountNumber: '0123456789', accountHolder: 'TEN KHONG THAT' },
    })
    await callEndpoint(endpoints.fileRequest, {
      token: bareToken(asking),
      idempotencyKey: newId(),
      body: { ownerId: asking.id, kind: 'deposit', amountMinor: 10_000n, memo: 'Nạp thử' },
    })
    const sent = new Map<string, string>()
    let left = 0
    const visiting = Promise.all(
      clients.map(async (client, nth) => {
        left += 1
        await sleep((nth * 15_000) / clients.length)
        await visit(client, url, nth, sent).finally(() => (left -= 1))
      }),
    )
    await waitFor(() => sent.size >= IN_BROWSERS, 30_000)
    const pages = await Promise.all(
      players.slice(0, IN_BROWSERS).map(async (player) => {
        await waitFor(
          async () =>
            (await callEndpoint(endpoints.listConversations, { query: {}, token: bareToken(player) })).rows.length > 0,
          60_000,
        )
        const talks = await callEndpoint(endpoints.listConversations, { query: {}, token: bareToken(player) })
        return openDesk(browser, url, player, `/support?conversation=${talks.rows[0]?.id}`, errors)
      }),
    )
    await Promise.all([
      visiting,
      ...desks.map((page, nth) =>
        shift(page, { nth, colleague: admins[(nth + 1) % ADMINS]?.username ?? '', tally, isOver: () => left === 0 }),
      ),
    ])
    await approveBeside(asking)
    const seen = await verify()
    return { ...seen, acts: tally.acts, keys: tally.keys, errors }

    /** Approves the request from the panel beside the conversation, as a person does who is talking with the player. */
    async function approveBeside(who: TestPlayer) {
      const talks = await callEndpoint(endpoints.listConversations, { query: {}, token: bareToken(who) })
      const [talk] = talks.rows
      const holder = admins.findIndex(({ id }) => id === talk?.participants[1].id)
      const page = desks[Math.max(0, holder)] as Page
      await page.goto(`/admin/chat?conversation=${talk?.id}`)
      const take = page.getByRole('button', { name: besideTexts.claim, exact: true })
      await field(page).or(take).first().waitFor()
      if (await take.isVisible()) await take.press('Enter')
      await field(page).waitFor()
      await page.getByRole('button', { name: chatTexts.customer }).press('Enter')
      const request = page.getByRole('listitem').filter({ hasText: `${adminRequestTexts.deposit} 100` })
      await request.getByRole('button', { name: adminRequestTexts.approve }).press('Enter')
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: /^Duyệt nạp 100/ })
        .press('Enter')
      await request.getByText(adminRequestTexts.approved).waitFor()
      tally.acts['approve'] = 1
    }

    async function verify() {
      const ids = players.map(({ id }) => id)
      const { rows: stored } = await db.query<{
        id: string
        conversation_id: string
        player_id: string
        sender_id: string
      }>(
        `select m.id, m.conversation_id, c.player_id, m.sender_id from messages m join conversations c on c.id = m.conversation_id
          where c.player_id = any($1::uuid[])`,
        [ids],
      )
      const wrong: Record<string, number> = await countWrong(db, ids)
      wrong['messages not stored once'] = [...sent.keys()].filter(
        (id) => stored.filter((one) => one.id === id).length !== 1,
      ).length
      // Each answer came to its player's socket once.
      const answers = stored.filter(({ player_id: player, sender_id: sender }) => sender !== player)
      const heard = (player: string) =>
        clients
          .find((one) => one.player.id === player)
          ?.told('receive_message')
          .map(({ _id: id }) => id) ?? []
      await waitFor(() => answers.every(({ id, player_id: player }) => heard(player).includes(id)), 10_000)
      wrong['answers not heard once'] = answers.filter(
        ({ id, player_id: player }) => heard(player).filter((one) => one === id).length !== 1,
      ).length
      wrong['notes on a player’s wire'] = 0
      wrong['reads unlike the database'] = 0
      for (const [nth, client] of clients.entries()) {
        const token = bareToken(client.player)
        const mine = await callEndpoint(endpoints.listConversations, { query: {}, token })
        const read: string[] = []
        for (const { id } of mine.rows) {
          const messages = await callEndpoint(endpoints.listMessages, { params: { id }, query: { limit: 100 }, token })
          read.push(...messages.rows.map((one) => one.id))
          if (JSON.stringify(messages).includes(SECRET)) wrong['notes on a player’s wire'] += 1
        }
        const theirs = stored.filter(({ player_id: player }) => player === players[nth]?.id).map(({ id }) => id)
        if (read.toSorted().join() !== theirs.toSorted().join()) wrong['reads unlike the database'] += 1
        const events = [
          'receive_message',
          'conversation_changed',
          'conversation_created',
          'note_added',
          'message_changed',
        ]
        const wire = JSON.stringify([mine, ...events.map((name) => client.told(name))])
        if (wire.includes(SECRET) || wire.includes('"desk"') || client.told('note_added').length > 0)
          wrong['notes on a player’s wire'] += 1
      }
      // Each conversation is on the list of one admin, or in the queue that all of them have.
      const lists = await Promise.all(
        admins.flatMap((admin) =>
          ([undefined, 'true'] as const).map((waiting) =>
            callEndpoint(endpoints.listConversations, {
              query: { limit: 100, ...(waiting !== undefined && { waiting }) },
              token: bareToken(admin),
            }),
          ),
        ),
      )
      const listed = new Set(lists.flatMap(({ rows: page }) => page.map(({ id }) => id)))
      wrong['conversations on no list'] = new Set(
        stored.map(({ conversation_id: id }) => id).filter((id) => !listed.has(id)),
      ).size
      const today = dayOf(Date.now())
      const [admin] = admins
      const token = admin === undefined ? '' : bareToken(admin)
      const report = await callEndpoint(endpoints.careReport, { query: { from: today, to: today }, token })
      const { rows: cases } = await db.query<{ all: number; done: number; again: number }>(
        `select count(*)::int as all, count(done_at)::int as done, (count(*) filter (where is_reopened))::int as again from care_cases`,
      )
      const { total } = report
      wrong['report unlike SQL'] =
        JSON.stringify([total.cases, total.resolution.count, total.reopened]) ===
        JSON.stringify([cases[0]?.all, cases[0]?.done, cases[0]?.again])
          ? 0
          : 1
      const { items } = await callEndpoint(endpoints.attention, { token })
      wrong['alarms'] = items.filter(({ kind }) => kind === 'conversation').length
      // Compares the screens of the admins who have a page open with the database.
      wrong['screens unlike the database'] = 0
      for (const [nth, page] of pages.entries()) {
        const theirs = stored.filter(({ player_id: player }) => player === players[nth]?.id).length
        await waitFor(async () => (await page.getByRole('article').count()) === theirs, 10_000)
        if ((await page.getByRole('article').count()) !== theirs) wrong['screens unlike the database'] += 1
        if ((await page.content()).includes(SECRET)) wrong['notes on a player’s wire'] += 1
      }
      wrong['errors of pages'] = errors.length
      return { messages: stored.length, cases: cases[0]?.all, wrong }
    }
  } finally {
    await browser.close()
    for (const client of clients) client.close()
  }
}
