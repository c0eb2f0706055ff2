import { setTimeout as sleep } from 'node:timers/promises'
import { createPlayers, type TestPlayer } from '#testing/play/rounds.ts'
import { COUNT, HOST } from '../../scripts/cluster/parts.ts'
import { makeConversations, threadOf } from '../chat/conversations.ts'
import { waitFor } from '#testing/time/until.ts'
import { type ChatPage, openChatPage, setOrigin } from '../chat/page.ts'
import type { ClusterWorld } from './cluster-world.ts'

export interface Said {
  readonly sent: number
  /** Messages that were sent and are not in the database. */
  readonly lost: number
  readonly doubled: number
  /** Stored after one that its sender wrote later. */
  readonly disordered: number
  /** Lists on pages that at the end are other ones than the database's. */
  readonly differing: number
  readonly pages: number
}

export interface Talkers {
  /**
   * Waits until every page has the database's present state. Returns how many pages lack something of it now, and the
   * ms until none did; gives up after half a minute.
   */
  caughtUp(): Promise<{ readonly behind: number; readonly afterMs: number }>
  /** Ends the talks, each side after its last message was acknowledged; gives them up after a minute. */
  stop(): Promise<Said>
}

const PAUSE_MS = 500
const CAUGHT_UP_WITHIN_MS = 30_000
const GIVEN_UP_MS = 60_000

interface Talker {
  readonly page: ChatPage
  readonly conversationId: string
  sent: number
}

/**
 * Players and admins in conversations of two, on the chat session of the product's own pages. The sockets of the two are
 * on different processes of the cluster. Both sides write all the time, the next message once the last is acknowledged. Each
 * player has a page on the third process as well that only reads: who writes sees a gap by the answer.
 */
export async function startTalkers({ db, url, ports }: ClusterWorld, conversations: number): Promise<Talkers> {
  setOrigin(url)
  const players = await createPlayers(db, conversations, { welcomePoints: 0 })
  const admins = await createPlayers(db, conversations, { role: 'admin', prefix: 'a', welcomePoints: 0 })
  const ids = await makeConversations(db, players, admins)
  const open = (player: TestPlayer, nth: number) => openChatPage(`http://${HOST}:${ports.process(nth % COUNT)}`, player)
  const writers = ids.flatMap((conversationId, nth): Talker[] => [
    { page: open(players[nth] as TestPlayer, nth), conversationId, sent: 0 },
    { page: open(admins[nth] as TestPlayer, nth + 1), conversationId, sent: 0 },
  ])
  const readers = ids.map((conversationId, nth): Talker => ({
    page: open(players[nth] as TestPlayer, nth + 2),
    conversationId,
    sent: 0,
  }))
  const talkers = [...writers, ...readers]
  for (const { page } of talkers) page.connect()
  if ((await waitFor(() => talkers.every(({ page }) => page.isConnected()), GIVEN_UP_MS)) === null)
    throw new Error('Not every page could connect.')

  let isOver = false
  async function talk(one: Talker): Promise<void> {
    while (!isOver) {
      // Without a connection the composer is disabled: the next turn tries again.
      if (one.page.session.sendText(one.conversationId, `${one.sent}`)) {
        one.sent++
        while (one.page.unconfirmed() > 0) await sleep(20)
      }
      await sleep(PAUSE_MS * (1 + Math.random()))
    }
  }
  const talking = Promise.all(writers.map(talk))

  /** The ids of the stored messages of each conversation, in their order. */
  async function storedIds(): Promise<ReadonlyMap<string, readonly string[]>> {
    const { rows } = await db.query<{ conversation_id: string; ids: string[] }>(
      `select conversation_id, array_agg(id order by seq) as ids from messages where conversation_id = any($1::uuid[]) group by 1`,
      [ids],
    )
    return new Map(rows.map((row) => [row.conversation_id, row.ids]))
  }
  const seenIds = ({ page, conversationId }: Talker): readonly string[] =>
    threadOf(page, conversationId)?.messages.map(({ id }) => id) ?? []

  return {
    async caughtUp() {
      const stored = await storedIds()
      const behind = () =>
        talkers.filter((one) => {
          const seen = new Set(seenIds(one))
          return stored.get(one.conversationId)?.some((id) => !seen.has(id)) ?? false
        }).length
      const first = behind()
      const afterMs = await waitFor(() => behind() === 0, CAUGHT_UP_WITHIN_MS)
      return { behind: first, afterMs: afterMs ?? Number.POSITIVE_INFINITY }
    },
    async stop() {
      isOver = true
      await Promise.race([talking, sleep(GIVEN_UP_MS, null, { ref: false })])
      const stored = await storedIds()
      const isDifferent = (one: Talker) => seenIds(one).join() !== (stored.get(one.conversationId) ?? []).join()
      await waitFor(() => !talkers.some(isDifferent), CAUGHT_UP_WITHIN_MS)
      const differing = talkers.filter(isDifferent).length
      const { rows } = await db.query<{ sender_id: string; contents: string[] }>(
        `select sender_id, array_agg(content order by seq) as contents from messages where conversation_id = any($1::uuid[]) group by 1`,
        [ids],
      )
      const stories = new Map(rows.map((row) => [row.sender_id, row.contents.map(Number)]))
      for (const { page } of talkers) page.close()
      const sums = writers.map(({ page, sent }) => {
        const told = stories.get(page.player.id) ?? []
        const distinct = new Set(told).size
        const disordered = told.filter((n, at) => at > 0 && n < (told[at - 1] ?? 0)).length
        return { sent, lost: sent - distinct, doubled: told.length - distinct, disordered }
      })
      const sum = (of: keyof (typeof sums)[number]) => sums.reduce((all, one) => all + one[of], 0)
      return {
        ...{ sent: sum('sent'), lost: sum('lost'), doubled: sum('doubled'), disordered: sum('disordered') },
        ...{ differing, pages: talkers.length },
      }
    },
  }
}
