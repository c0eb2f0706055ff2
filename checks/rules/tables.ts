import { at, type Finding, isTest, type SourceFile, textOf } from '../source-files.ts'

/**
 * Wall 7: which features write each table. Reads may join any. Each feature repeats this in the header of its index.ts.
 */
export const TABLE_OWNERS: Readonly<Record<string, readonly string[]>> = {
  identity: ['users', 'sessions', 'known_devices', 'password_attempts'],
  factors: ['staff_factors', 'recovery_codes', 'factor_challenges'],
  wallet: [
    'ledger_accounts',
    'ledger_transfers',
    'ledger_checkpoint',
    'ledger_checkpoint_balances',
    'account_totals',
    'account_totals_mark',
    'idempotency_keys',
  ],
  game: ['rounds', 'bets'],
  market: ['ticks', 'tick_evidence', 'simulated_seeds', 'candles', 'coin_market'],
  audit: ['audit_log', 'audit_tip', 'audit_anchors'],
  customer: ['staff_notes'],
  'saved-views': ['saved_views'],
  banks: ['banks'],
  cashier: ['cash_requests', 'request_views'],
  'four-eyes': ['money_proposals'],
  limits: ['player_limits'],
  overview: [
    'figure_marks',
    'figure_bets',
    'figure_hours',
    'figure_players',
    'figure_days',
    'figure_requests',
    'figure_waits',
    'figure_refusals',
    'figure_states',
  ],
  statistics: ['statistics_marks', 'statistics_days', 'statistics_types'],
  chat: [
    'conversations',
    'conversations_waiting',
    'messages',
    'message_changes',
    'conversation_members',
    'conversation_notes',
    'conversation_mentions',
    'canned_replies',
    'care_duty',
    'conversation_tags',
    'merged_conversations',
    'care_hours',
    'care_cases',
    'care_days',
    'care_days_changed',
    'chat_outbox',
    'presence_processes',
    'presence_users',
    'presence_last_seen',
  ],
  disputes: ['disputes'],
  files: ['uploads'],
  push: ['push_keys', 'push_preferences', 'push_subscriptions', 'push_queue'],
  book: [
    'book_logs',
    'book_tips',
    'book_queue',
    'book_entries',
    'book_nodes',
    'book_places',
    'book_notable',
    'book_texts',
    'book_feeds',
    'book_secret',
    'book_reasons',
    'book_rates',
  ],
  attention: ['attention_choices'],
  notices: ['notices', 'notice_marks', 'notice_start'],
}

/** Tables that a platform file owns. */
export const PLATFORM_TABLES: Readonly<Record<string, string>> = {
  schema_migration: 'server/platform/database/migrate.ts',
  installation: 'server/platform/process/installation.ts',
  move_mark: 'server/platform/process/move-mark.ts',
}

const ownerOf = (table: string): string | null =>
  Object.entries(TABLE_OWNERS).find(([, tables]) => tables.includes(table))?.[0] ?? null

/** `update` counts only with its `set`: `for update of` and `on conflict do update` write nothing by themselves. */
const TABLE = String.raw`(?:only\s+)?"?(?:public"?\."?)?([a-z_][a-z0-9_]*)`
const WRITES = [
  String.raw`\binsert\s+into\s+${TABLE}`,
  String.raw`\bupdate\s+${TABLE}"?(?:\s+(?:as\s+)?[a-z_]\w*)?\s+set\b`,
  String.raw`\bdelete\s+from\s+${TABLE}`,
  String.raw`\bmerge\s+into\s+${TABLE}`,
  String.raw`\btruncate\s+(?:table\s+)?${TABLE}`,
  String.raw`\bcopy\s+${TABLE}`,
].map((pattern) => new RegExp(pattern, 'gi'))

/** The tables that a statement writes, with offsets. The caller filters out words that are not tables. */
const writtenTables = (sql: string): ReadonlyArray<readonly [table: string, offset: number]> =>
  WRITES.flatMap((pattern) =>
    [...sql.matchAll(pattern)].map((match) => [(match[1] ?? '').toLowerCase(), match.index] as const),
  )

/** Wall 7: only its owner writes a table; only wallet writes `ledger_*`, which keeps the books exact. */
export function findForeignWrites(file: SourceFile): Finding[] {
  if (!file.path.startsWith('server/') || isTest(file.path)) return []
  const feature = /^server\/features\/([^/]+)\//.exec(file.path)?.[1] ?? null
  return file.nodes().flatMap(({ node }) => {
    const text = textOf(node)
    if (text === null) return []
    return writtenTables(text).flatMap(([table, offset]) => {
      const owner = ownerOf(table)
      if (owner === null && PLATFORM_TABLES[table] === undefined) return []
      if (owner === feature && owner !== null) return []
      if (PLATFORM_TABLES[table] === file.path) return []
      return [
        at(
          file,
          { start: node.start + offset },
          `${table} is written by ${owner ?? 'the platform'} alone: call what its index.ts gives`,
        ),
      ]
    })
  })
}

/** A read of ticks outside market's own file would show prices before their second after the clock was set back. */
const TICK_READS = /\b(?:from|join)\s+(?:only\s+)?"?(?:public"?\."?)?(ticks|tick_evidence)\b/gi
const TICKS_FILE = 'server/features/market/ticks.ts'

/** Rules §2: no price is shown before its second. One file defines the condition, and the others import it. */
export function findRawTickReads(file: SourceFile): Finding[] {
  if (!file.path.startsWith('server/') || isTest(file.path) || file.path === TICKS_FILE) return []
  return file.nodes().flatMap(({ node }) => {
    const text = textOf(node)
    if (text === null) return []
    return [...text.matchAll(TICK_READS)].map((match) =>
      at(
        file,
        { start: node.start + match.index },
        `${match[1]} is read through TICKS_SO_FAR of the market, or not at all: a row's second may not have come`,
      ),
    )
  })
}

/** Every table that a migration creates. */
export const createdTables = (sql: string): string[] =>
  [...sql.matchAll(/^\s*create\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?([a-z_][a-z0-9_]*)/gim)].map(
    (match) => match[1] ?? '',
  )

/**
 * The tables that the header of a feature's index.ts declares: "Owns a, b and c." or "Owns a and b; …"; empty for "Owns
 * nothing".
 */
export function declaredTables(header: string): string[] {
  const text = header.replace(/^\s*\/?\*+\/?/gm, ' ').replace(/\s+/g, ' ')
  const sentence = /\bOwns ([^.;:]*)/.exec(text)?.[1] ?? ''
  return (
    sentence
      .match(/\b[a-z]+(?:_[a-z]+)*\b/g)
      ?.filter((word) => !['and', 'nothing', 'no', 'table', 'tables', 'the'].includes(word)) ?? []
  )
}
