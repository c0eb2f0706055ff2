import { actorNameSql } from '#server/features/wallet/index.ts'
import { type Query, type Sql, sql, sqlText, statement } from '#server/platform/database/sql.ts'

/** Type of a column's values. In the database, `points` are minor units, and a `price` is thousandths of a dollar. */
export type ColumnKind = 'text' | 'count' | 'points' | 'price' | 'moment' | 'yes-no'

export interface Column {
  readonly name: string
  /** Title of the column in the CSV file. */
  readonly title: string
  readonly kind: ColumnKind
}

/** Parameters of the query for one page of rows. Only the cursor (`afterA`, `afterB`) differs from page to page. */
export interface PageAt {
  readonly userId: string
  readonly walletId: bigint
  /** Position in the wallet's ledger of the last transfer that is exported. */
  readonly position: bigint
  readonly balance: bigint
  readonly staked: bigint
  readonly reserved: bigint
  /** `cursor_a` and `cursor_b` of the last row of the page before; for the first page, `first` of the data set. */
  readonly afterA: string
  readonly afterB: string
}

export interface DataSet {
  readonly name: string
  readonly columns: readonly Column[]
  readonly page: (at: PageAt) => Query
  readonly first: readonly [a: string, b: string]
}

export const PAGE_ROWS = 1_000

const column = (name: string, title: string, kind: ColumnKind = 'text'): Column => ({ name, title, kind })

/** The SQL in `rows` may use all parameters in `PageAt`. */
type Declared = Omit<DataSet, 'page'> & { readonly rows: Sql<keyof PageAt> }

const PAGE = sqlText(`limit ${PAGE_ROWS}`)
const FIRST_MOMENT = ['-infinity', '00000000-0000-0000-0000-000000000000'] as const
const FIRST_ID = ['', '00000000-0000-0000-0000-000000000000'] as const

/** The cursor's time is passed as text: a JavaScript Date would lose its microseconds, and rows would be repeated. */
const AFTER_MOMENT = sql`(${'afterA'}::text::timestamptz, ${'afterB'}::text::uuid)`

const profile: Declared = {
  name: 'profile',
  columns: [
    column('id', 'Mã'),
    column('username', 'Tài khoản'),
    column('role', 'Vai trò'),
    column('balance', 'Số dư', 'points'),
    column('staked', 'Đang đặt', 'points'),
    column('reserved', 'Đang chờ rút', 'points'),
    column('creditScore', 'Điểm tín nhiệm', 'count'),
    column('vip', 'VIP', 'count'),
    column('avatar', 'Ảnh đại diện'),
    column('scriptedOutcome', 'Kết quả đặt sẵn'),
    column('isFrozen', 'Đóng băng', 'yes-no'),
    column('lastAddress', 'Địa chỉ đăng nhập gần nhất'),
    column('lastSeenAt', 'Có mặt lần cuối', 'moment'),
    column('createdAt', 'Đăng ký', 'moment'),
  ],
  first: FIRST_ID,
  rows: sql`
      select u.id, u.username, u.role, ${'balance'}::bigint as balance, ${'staked'}::bigint as staked,
             ${'reserved'}::bigint as reserved, u.credit_score as "creditScore", u.vip, u.avatar,
             u.scripted_outcome as "scriptedOutcome", u.is_frozen as "isFrozen", u.ip as "lastAddress",
             p.seen_at as "lastSeenAt", u.created_at as "createdAt", '' as cursor_a, u.id::text as cursor_b
        from users u
        left join presence_last_seen p on p.user_id = u.id
       where u.id = ${'userId'} and u.id > ${'afterB'}::text::uuid`,
}

const banks: Declared = {
  name: 'banks',
  columns: [
    column('id', 'Mã'),
    column('bankName', 'Ngân hàng'),
    column('accountNumber', 'Số tài khoản'),
    column('accountHolder', 'Tên tài khoản'),
    column('createdAt', 'Liên kết', 'moment'),
    column('updatedAt', 'Sửa lần cuối', 'moment'),
  ],
  first: FIRST_MOMENT,
  rows: sql`
      select id, bank_name as "bankName", account_number as "accountNumber", account_holder as "accountHolder",
             created_at as "createdAt", updated_at as "updatedAt", created_at::text as cursor_a, id::text as cursor_b
        from banks where owner_id = ${'userId'} and (created_at, id) > ${AFTER_MOMENT}
       order by created_at, id ${PAGE}`,
}

const limits: Declared = {
  name: 'limits',
  columns: [
    column('dailyStake', 'Giới hạn đặt mỗi ngày', 'points'),
    column('dailyLoss', 'Giới hạn thua mỗi ngày', 'points'),
    column('reminderMinutes', 'Nhắc nghỉ sau (phút)', 'count'),
    column('timeoutUntil', 'Tạm nghỉ đến', 'moment'),
    column('pendingDailyStake', 'Giới hạn đặt sắp áp dụng', 'points'),
    column('pendingDailyLoss', 'Giới hạn thua sắp áp dụng', 'points'),
    column('pendingFrom', 'Áp dụng từ', 'moment'),
    column('updatedAt', 'Sửa lần cuối', 'moment'),
  ],
  first: FIRST_ID,
  rows: sql`
      select case when is_due then pending_daily_stake else daily_stake end as "dailyStake",
             case when is_due then pending_daily_loss else daily_loss end as "dailyLoss",
             reminder_minutes as "reminderMinutes", timeout_until as "timeoutUntil",
             case when not is_due then pending_daily_stake end as "pendingDailyStake",
             case when not is_due then pending_daily_loss end as "pendingDailyLoss",
             case when not is_due then pending_from end as "pendingFrom", updated_at as "updatedAt",
             '' as cursor_a, user_id::text as cursor_b
        from player_limits,
             -- A raise that is due applies already, but is copied to daily_stake or daily_loss only at the next save.
             lateral (select coalesce(pending_from <= clock_timestamp(), false) as is_due) due
       where user_id = ${'userId'} and user_id > ${'afterB'}::text::uuid`,
}

/**
 * A bet that ended after the last exported transfer is written as still open, so that bets and ledger agree. The salt
 * lets the owner check the bet's entry in the open book (docs/open-book.md §3).
 */
const bets: Declared = {
  name: 'bets',
  columns: [
    column('id', 'Mã'),
    column('roundNumber', 'Phiên', 'count'),
    column('roundType', 'Loại phiên'),
    column('direction', 'Chiều'),
    column('stake', 'Đặt', 'points'),
    column('basis', 'Quyết định bởi'),
    column('seenBasis', 'Đã báo trước'),
    column('status', 'Trạng thái'),
    column('voidReason', 'Lý do hoàn điểm'),
    column('entryPrice', 'Giá vào', 'price'),
    column('exitPrice', 'Giá ra', 'price'),
    column('profit', 'Lãi/lỗ', 'points'),
    column('acceptedAt', 'Nhận lệnh', 'moment'),
    column('settledAt', 'Có kết quả', 'moment'),
    column('salt', 'Muối'),
  ],
  first: FIRST_MOMENT,
  rows: sql`
      with b as materialized (
        select * from bets where user_id = ${'userId'} and (accepted_at, id) > ${AFTER_MOMENT}
         order by accepted_at, id ${PAGE})
      select b.id, r.index + 1 as "roundNumber", r.type as "roundType", b.direction, b.stake, b.basis,
             b.seen_basis as "seenBasis", case when c.id is null then 'open' else b.status end as status,
             case when c.id is not null then b.void_reason end as "voidReason", b.entry_price as "entryPrice",
             case when c.id is not null then b.exit_price end as "exitPrice",
             case when c.id is not null then b.profit end as profit, b.accepted_at as "acceptedAt",
             case when c.id is not null then b.settled_at end as "settledAt", encode(b.salt, 'base64') as salt,
             s.wallet_seq is null as is_later, b.accepted_at::text as cursor_a, b.id::text as cursor_b
        from b join rounds r on r.id = b.round_id
        left join ledger_transfers s on s.id = 'bet:' || b.id || ':stake' and s.wallet_seq <= ${'position'}
        left join ledger_transfers c on c.id = 'bet:' || b.id || ':close:1' and c.wallet_seq <= ${'position'}
       order by b.accepted_at, b.id`,
}

const requests: Declared = {
  name: 'requests',
  columns: [
    column('id', 'Mã'),
    column('kind', 'Loại'),
    column('amount', 'Số điểm', 'points'),
    column('status', 'Trạng thái'),
    column('depositMemo', 'Nội dung'),
    column('withdrawalNote', 'Lời nhắn'),
    column('rejectionReason', 'Lý do không duyệt'),
    column('bankName', 'Ngân hàng'),
    column('accountNumber', 'Số tài khoản'),
    column('accountHolder', 'Tên tài khoản'),
    column('createdAt', 'Gửi', 'moment'),
    column('decidedAt', 'Xử lý', 'moment'),
  ],
  first: FIRST_MOMENT,
  rows: sql`
      select id, kind, amount, status, deposit_memo as "depositMemo", withdrawal_note as "withdrawalNote",
             rejection_reason as "rejectionReason", bank_name as "bankName", account_number as "accountNumber",
             account_holder as "accountHolder", created_at as "createdAt", decided_at as "decidedAt",
             created_at::text as cursor_a, id::text as cursor_b
        from cash_requests where owner_id = ${'userId'} and (created_at, id) > ${AFTER_MOMENT}
       order by created_at, id ${PAGE}`,
}

/** The salts let the owner check the open book's entries of the dispute and its answer (docs/open-book.md §2). */
const disputes: Declared = {
  name: 'disputes',
  columns: [
    column('id', 'Mã'),
    column('betId', 'Mã lệnh'),
    column('text', 'Bạn viết'),
    column('salt', 'Muối'),
    column('status', 'Trạng thái'),
    column('answer', 'Trả lời'),
    column('answerSalt', 'Muối của câu trả lời'),
    column('correction', 'Điểm bù', 'points'),
    column('openedAt', 'Gửi', 'moment'),
    column('answeredAt', 'Trả lời lúc', 'moment'),
  ],
  first: FIRST_MOMENT,
  rows: sql`
      select id, bet_id as "betId", text, encode(salt, 'base64') as salt, status, answer,
             encode(answer_salt, 'base64') as "answerSalt", correction, opened_at as "openedAt",
             answered_at as "answeredAt", opened_at::text as cursor_a, id::text as cursor_b
        from disputes where owner_id = ${'userId'} and (opened_at, id) > ${AFTER_MOMENT}
       order by opened_at, id ${PAGE}`,
}

const ACTOR = sqlText(actorNameSql('t.actor'))

const ledger: Declared = {
  name: 'ledger',
  columns: [
    column('position', 'STT', 'count'),
    column('id', 'Mã'),
    column('reason', 'Lý do'),
    column('delta', 'Thay đổi', 'points'),
    column('balanceAfter', 'Số dư sau', 'points'),
    column('actor', 'Người thực hiện'),
    column('note', 'Ghi chú'),
    column('ref', 'Mã tham chiếu'),
    column('createdAt', 'Thời gian', 'moment'),
  ],
  first: ['', '0'],
  rows: sql`
      select t.wallet_seq as position, t.id, t.reason, t.wallet_delta as delta, t.wallet_balance_after as "balanceAfter",
             ${ACTOR} as actor, t.note, t.ref,
             t.created_at as "createdAt", '' as cursor_a, t.wallet_seq::text as cursor_b
        from ledger_transfers t
       where t.wallet_account = ${'walletId'} and t.wallet_seq > ${'afterB'}::text::bigint
         and t.wallet_seq <= ${'position'}
       order by t.wallet_seq ${PAGE}`,
}

/** All messages of the user's conversations with customer care, also those that the user has deleted for themselves. */
const messages: Declared = {
  name: 'messages',
  columns: [
    column('conversation', 'Cuộc trò chuyện'),
    column('number', 'STT', 'count'),
    column('sender', 'Người gửi'),
    column('kind', 'Loại'),
    column('content', 'Nội dung'),
    column('sentAt', 'Gửi', 'moment'),
  ],
  first: ['00000000-0000-0000-0000-000000000000', '0'],
  rows: sql`
      select m.conversation_id as conversation, m.seq as number, u.username as sender,
             case when x.message_id is not null and x.content is null then 'retracted' when m.file_key is not null and x.message_id is null then 'file' else m.kind end as kind,
             case when x.message_id is null then m.content else coalesce(x.content, '') end as content,
             m.sent_at as "sentAt", m.conversation_id::text as cursor_a, m.seq::text as cursor_b
        from messages m join users u on u.id = m.sender_id left join message_changes x on x.message_id = m.id
       where m.conversation_id in (select id from conversations where player_id = ${'userId'})
         and (m.conversation_id, m.seq) > (${'afterA'}::text::uuid, ${'afterB'}::text::int)
       order by m.conversation_id, m.seq ${PAGE}`,
}

const sessions: Declared = {
  name: 'sessions',
  columns: [
    column('id', 'Mã'),
    column('browser', 'Trình duyệt'),
    column('address', 'Địa chỉ'),
    column('createdAt', 'Đăng nhập', 'moment'),
    column('lastUsedAt', 'Dùng lần cuối', 'moment'),
    column('expiresAt', 'Hết hạn', 'moment'),
    column('endedAt', 'Kết thúc', 'moment'),
    column('endReason', 'Lý do kết thúc'),
  ],
  first: FIRST_MOMENT,
  rows: sql`
      select id, user_agent as browser, ip as address, created_at as "createdAt", last_used_at as "lastUsedAt",
             expires_at as "expiresAt", ended_at as "endedAt", end_reason as "endReason",
             created_at::text as cursor_a, id::text as cursor_b
        from sessions where user_id = ${'userId'} and (created_at, id) > ${AFTER_MOMENT}
       order by created_at, id ${PAGE}`,
}

/** Only the notices that have a row of their own: all others are computed from bets, requests and other rows. */
const notices: Declared = {
  name: 'notices',
  columns: [
    column('id', 'Mã'),
    column('kind', 'Loại'),
    column('ref', 'Mã tham chiếu'),
    column('createdAt', 'Thời gian', 'moment'),
    column('isRead', 'Đã đọc', 'yes-no'),
  ],
  first: FIRST_MOMENT,
  rows: sql`
      select n.id, n.kind, n.ref, n.created_at as "createdAt", coalesce(n.created_at <= m.read_through, false) as "isRead",
             n.created_at::text as cursor_a, n.id::text as cursor_b
        from notices n left join notice_marks m on m.user_id = n.user_id
       where n.user_id = ${'userId'} and (n.created_at, n.id) > ${AFTER_MOMENT}
       order by n.created_at, n.id ${PAGE}`,
}

export const DATA_SETS: readonly DataSet[] = [
  profile,
  banks,
  limits,
  bets,
  disputes,
  requests,
  ledger,
  messages,
  sessions,
  notices,
].map(({ rows, ...set }) => {
  const of = statement(rows)
  return { ...set, page: (at) => of({ ...at }) }
})
