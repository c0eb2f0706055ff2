import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FILES_PATH } from '#contract/files.ts'
import { windowOf } from '#domain/game/calendar.ts'
import { openRound } from '#server/features/game/index.ts'
import type { Database } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import { testDataDir } from './app.ts'
import { insertBet } from '#testing/play/bets.ts'
import { createPlayers, createRound, fixedPrices, type TestPlayer } from '#testing/play/rounds.ts'

/** The caller's role and state. */
export const ACTORS = ['anonymous', 'dead', 'player', 'frozen', 'admin', 'frozenAdmin'] as const
export type Actor = (typeof ACTORS)[number]

/** The tokens that generated requests are drawn with: everybody's, and most often those with which much is allowed. */
export const tokensToDraw = (tokens: AuthorityWorld['tokens']): Array<string | undefined> => [
  ...ACTORS.map((actor) => tokens[actor]),
  ...[tokens.player, tokens.player, tokens.player, tokens.admin, tokens.admin, tokens.admin],
]

/**
 * The owner of the object that a call names: the caller (for staff, a player), another player, or nobody, since it does
 * not exist.
 */
export const TARGETS = ['own', 'other', 'absent'] as const
export type Target = (typeof TARGETS)[number]

/** A small world with one of everything that a call can name, for the calling player, another one and a frozen one. */
export interface AuthorityWorld {
  readonly tokens: Readonly<Record<Actor, string | undefined>>
  id(kind: Kind, actor: Actor, target: Target): string
  /** Two admins: the caller, who holds every conversation, and a colleague. */
  readonly admin: string
  readonly colleague: string
}

const KINDS = ['bank', 'request', 'bet', 'round', 'conversation', 'message', 'dispute', 'image', 'session'] as const
type Kind = 'user' | (typeof KINDS)[number]

export async function createAuthorityWorld(db: Database): Promise<AuthorityWorld> {
  const [player, other, frozen, dead] = await createPlayers(db, 4)
  const [admin, frozenAdmin, colleague] = await createPlayers(db, 3, { role: 'admin', welcomePoints: 0 })
  await db.query(`update users set is_frozen = true where id = any($1::uuid[])`, [[frozen.id, frozenAdmin.id]])
  await db.query(`update sessions set ended_at = clock_timestamp(), end_reason = 'logout' where user_id = $1`, [
    dead.id,
  ])
  // The round is created as at its start: force-create returns the running round however little of its window is left.
  await openRound(
    db,
    fixedPrices(() => 1),
    '120s',
    windowOf('120s', Date.now()).opensAtMs,
  )
  const owners = [player, other, frozen]
  const made = new Map<string, Record<(typeof KINDS)[number], string>>()
  for (const { id: ownerId } of owners) {
    const [bank, request, bet, conversation, message, session] = [newId(), newId(), newId(), newId(), newId(), newId()]
    const image = `${randomBytes(24).toString('base64url')}.png`
    const round = await createRound(db)
    const ended = await createRound(db)
    await db.query(
      `insert into sessions (id, user_id, secret_hash, expires_at)
       values ($1, $2, '', clock_timestamp() + interval '1 day')`,
      [session, ownerId],
    )
    await db.query(
      `insert into banks (id, owner_id, account_number, account_holder, bank_name) values ($1, $2, '0123456', 'A', 'VCB')`,
      [bank, ownerId],
    )
    await db.query(
      `insert into cash_requests (id, owner_id, kind, amount, bank_id, account_number, account_holder, bank_name, created_at)
       values ($1, $2, 'deposit', 100, $3, '0123456', 'A', 'VCB', clock_timestamp())`,
      [request, ownerId, bank],
    )
    await insertBet(db, ownerId, ended.id, { id: bet })
    await db.query(`insert into conversations (id, player_id, holder_id) values ($1, $2, $3)`, [
      conversation,
      ownerId,
      admin.id,
    ])
    await db.query(`insert into conversation_members (conversation_id, user_id) values ($1, $2), ($1, $3)`, [
      conversation,
      ownerId,
      admin.id,
    ])
    const [disputed, dispute] = [await insertBet(db, ownerId, ended.id), newId()]
    await db.query(
      `insert into disputes (id, bet_id, owner_id, conversation_id, text, salt, opened_at)
       values ($1, $2, $3, $4, 'A', $5, clock_timestamp())`,
      [dispute, disputed, ownerId, conversation, randomBytes(16)],
    )
    mkdirSync(join(testDataDir, 'uploads'), { recursive: true })
    writeFileSync(join(testDataDir, 'uploads', image), '')
    await db.query(
      `insert into uploads (id, owner_id, storage_key, mime, width, height, bytes, thumbhash)
       values ($1, $2, $3, 'image/png', 1, 1, 1, '')`,
      [newId(), ownerId, image],
    )
    await db.query(
      `insert into messages (conversation_id, seq, id, sender_id, client_id, kind, content, search_key, image_width,
         image_height, image_thumbhash) values ($1, 1, $2, $3, 'image', 'image', $4, '', 1, 1, '')`,
      [conversation, newId(), ownerId, FILES_PATH + image],
    )
    await db.query(
      // A message so new that it can be changed, however long the test takes.
      `insert into messages (conversation_id, seq, id, sender_id, client_id, kind, content, search_key, sent_at)
       values ($1, 2, $2, $3, 'text', 'text', 'A', 'a', clock_timestamp() + interval '1 hour')`,
      [conversation, message, ownerId],
    )
    await db.query(`update conversations set last_seq = 2 where id = $1`, [conversation])
    made.set(ownerId, { bank, request, bet, round: round.id, conversation, message, dispute, image, session })
  }
  const tokenOf = ({ bearer }: TestPlayer) => bearer.slice('Bearer '.length)
  const ownerOf = (actor: Actor, target: Target): TestPlayer | null =>
    target === 'absent' ? null : target === 'other' ? other : actor === 'frozen' ? frozen : player

  return {
    admin: admin.id,
    colleague: colleague.id,
    tokens: {
      anonymous: undefined,
      dead: tokenOf(dead),
      player: tokenOf(player),
      frozen: tokenOf(frozen),
      admin: tokenOf(admin),
      frozenAdmin: tokenOf(frozenAdmin),
    },
    id(kind, actor, target) {
      if (kind === 'user' && target === 'own' && actor === 'dead') return dead.id
      // An admin's own user is the only object of an admin's that a call can name.
      if (kind === 'user' && target === 'own' && actor === 'admin') return admin.id
      if (kind === 'user' && target === 'own' && actor === 'frozenAdmin') return frozenAdmin.id
      const owner = ownerOf(actor, target)
      if (owner === null) return newId()
      return kind === 'user' ? owner.id : (made.get(owner.id)?.[kind] ?? newId())
    },
  }
}
