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

/** @param value SQL of the value; by default the database's column of the same name, such as `bank_name` of `bankName` */
const column = (name: string, title: string, kind: ColumnKind = 'text', value = snakeCase(name)) => {
  return { name, title, kind, value }
}

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

interface Declared extends Pick<DataSet, 'name' | 'first'> {
  readonly columns: ReadonlyArray<ReturnType<typeof column>>
  /** Returns the SQL for one page of rows, which may use all parameters in `PageAt`. `values` selects the columns. */
  readonly rows: (values: Sql) => Sql<keyof PageAt>
}

const PAGE = sqlText(`limit ${PAGE_ROWS}`)
const FIRST_MOMENT = ['-infinity', '00000000-0000-0000-0000-000000000000'] as const
const FIRST_ID = ['', '00000000-0000-0000-0000-000000000000'] as const

/** The cursor's time is passed as text: a JavaScript Date would lose its microseconds, and rows would be repeated. */
const AFTER_MOMENT = sql`(${'afterA'}::text::timestamptz, ${'afterB'}::text::uuid)`

/** The rows of a table that belong to the user, in the order of the time in its column `at`. */
function byMoment(table: string, owner: string, at: string): Pick<Declared, 'first' | 'rows'> {
  const [from, whose, when] = [sqlText(table), sqlText(owner), sqlText(at)]
  return {
    first: FIRST_MOMENT,
    rows: (values) => sql`
      select ${values}, ${when}::text as cursor_a, id::text as cursor_b from ${from}
       where ${whose} = ${'userId'} and (${when}, id) > ${AFTER_MOMENT} order by ${when}, id ${PAGE}`,
  }
}

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
    column('lastAddress', 'Địa chỉ đăng nhập gần nhất', 'text', 'ip'),
    column('lastSeenAt', 'Có mặt lần cuối', 'moment', 'p.seen_at'),
    column('createdAt', 'Đăng ký', 'moment'),
  ],
  first: FIRST_ID,
  rows: (values) => sql`
      select ${values}, '' as cursor_a, id::text as cursor_b
        from users left join presence_last_seen p on p.user_id = id
       cross join (select ${'balance'}::bigint as balance, ${'staked'}::bigint as staked,
                          ${'reserved'}::bigint as reserved) points
       where id = ${'userId'} and id > ${'afterB'}::text::uuid`,
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
  ...byMoment('banks', 'owner_id', 'created_at'),
}

const inForce = (limit: string): string => `case when is_due then pending_${limit} else ${limit} end`
const notDue = (pending: string): string => `case when not is_due then ${pending} end`

const limits: Declared = {
  name: 'limits',
  columns: [
    column('dailyStake', 'Giới hạn đặt mỗi ngày', 'points', inForce('daily_stake')),
    column('dailyLoss', 'Giới hạn thua mỗi ngày', 'points', inForce('daily_loss')),
    column('reminderMinutes', 'Nhắc nghỉ sau (phút)', 'count'),
    column('timeoutUntil', 'Tạm nghỉ đến', 'moment'),
    column('pendingDailyStake', 'Giới hạn đặt sắp áp dụng', 'points', notDue('pending_daily_stake')),
    column('pendingDailyLoss', 'Giới hạn thua sắp áp dụng', 'points', notDue('pending_daily_loss')),
    column('pendingFrom', 'Áp dụng từ', 'moment', notDue('pending_from')),
    column('updatedAt', 'Sửa lần cuối', 'moment'),
  ],
  first: FIRST_ID,
  rows: (values) => sql`
      select ${values}, '' as cursor_a, user_id::text as cursor_b
        from player_limits,
             -- A raise that is due applies already, but is copied to daily_stake or daily_loss only at the next save.
             lateral (select coalesce(pending_from <= clock_timestamp(), false) as is_due) due
       where user_id = ${'userId'} and user_id > ${'afterB'}::text::uuid`,
}

const ofEnded = (name: string): string => `case when c.id is not null then b.${name} end`

/**
 * A bet that ended after the last exported transfer is written as still open, so that bets and ledger agree. The salt
 * lets the owner check the bet's entry in the open book (docs/open-book.md §3).
 */
const bets: Declared = {
  name: 'bets',
  columns: [
    column('id', 'Mã', 'text', 'b.id'),
    column('roundNumber', 'Phiên', 'count', 'r.index + 1'),
    column('roundType', 'Loại phiên', 'text', 'r.type'),
    column('direction', 'Chiều'),
    column('stake', 'Đặt', 'points'),
    column('basis', 'Quyết định bởi'),
    column('seenBasis', 'Đã báo trước'),
    column('status', 'Trạng thái', 'text', `case when c.id is null then 'open' else b.status end`),
    column('voidReason', 'Lý do hoàn điểm', 'text', ofEnded('void_reason')),
    column('entryPrice', 'Giá vào', 'price', 'b.entry_price'),
    column('exitPrice', 'Giá ra', 'price', ofEnded('exit_price')),
    column('profit', 'Lãi/lỗ', 'points', ofEnded('profit')),
    column('acceptedAt', 'Nhận lệnh', 'moment'),
    column('settledAt', 'Có kết quả', 'moment', ofEnded('settled_at')),
    column('salt', 'Muối', 'text', `encode(b.salt, 'base64')`),
  ],
  first: FIRST_MOMENT,
  rows: (values) => sql`
      with b as materialized (
        select * from bets where user_id = ${'userId'} and (accepted_at, id) > ${AFTER_MOMENT}
         order by accepted_at, id ${PAGE})
      select ${values}, s.wallet_seq is null as is_later, b.accepted_at::text as cursor_a, b.id::text as cursor_b
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
  ...byMoment('cash_requests', 'owner_id', 'created_at'),
}

/** The salts let the owner check the open book's entries of the dispute and its answer (docs/open-book.md §2). */
const disputes: Declared = {
  name: 'disputes',
  columns: [
    column('id', 'Mã'),
    column('betId', 'Mã lệnh'),
    column('text', 'Bạn viết'),
    column('salt', 'Muối', 'text', `encode(salt, 'base64')`),
    column('status', 'Trạng thái'),
    column('answer', 'Trả lời'),
    column('answerSalt', 'Muối của câu trả lời', 'text', `encode(answer_salt, 'base64')`),
    column('correction', 'Điểm bù', 'points'),
    column('openedAt', 'Gửi', 'moment'),
    column('answeredAt', 'Trả lời lúc', 'moment'),
  ],
  ...byMoment('disputes', 'owner_id', 'opened_at'),
}

const ledger: Declared = {
  name: 'ledger',
  columns: [
    column('position', 'STT', 'count', 't.wallet_seq'),
    column('id', 'Mã'),
    column('reason', 'Lý do'),
    column('delta', 'Thay đổi', 'points', 't.wallet_delta'),
    column('balanceAfter', 'Số dư sau', 'points', 't.wallet_balance_after'),
    column('actor', 'Người thực hiện', 'text', actorNameSql('t.actor')),
    column('note', 'Ghi chú'),
    column('ref', 'Mã tham chiếu'),
    column('createdAt', 'Thời gian', 'moment'),
  ],
  first: ['', '0'],
  rows: (values) => sql`
      select ${values}, '' as cursor_a, t.wallet_seq::text as cursor_b
        from ledger_transfers t
       where t.wallet_account = ${'walletId'} and t.wallet_seq > ${'afterB'}::text::bigint
         and t.wallet_seq <= ${'position'}
       order by t.wallet_seq ${PAGE}`,
}

const MESSAGE_KIND = `case when x.message_id is not null and x.content is null then 'retracted'
  when m.file_key is not null and x.message_id is null then 'file' else m.kind end`
const MESSAGE_CONTENT = `case when x.message_id is null then m.content else coalesce(x.content, '') end`

/** All messages of the user's conversations with customer care, also those that the user has deleted for themselves. */
const messages: Declared = {
  name: 'messages',
  columns: [
    column('conversation', 'Cuộc trò chuyện', 'text', 'm.conversation_id'),
    column('number', 'STT', 'count', 'm.seq'),
    column('sender', 'Người gửi', 'text', 'u.username'),
    column('kind', 'Loại', 'text', MESSAGE_KIND),
    column('content', 'Nội dung', 'text', MESSAGE_CONTENT),
    column('sentAt', 'Gửi', 'moment', 'm.sent_at'),
  ],
  first: ['00000000-0000-0000-0000-000000000000', '0'],
  rows: (values) => sql`
      select ${values}, m.conversation_id::text as cursor_a, m.seq::text as cursor_b
        from messages m join users u on u.id = m.sender_id left join message_changes x on x.message_id = m.id
       where m.conversation_id in (select id from conversations where player_id = ${'userId'})
         and (m.conversation_id, m.seq) > (${'afterA'}::text::uuid, ${'afterB'}::text::int)
       order by m.conversation_id, m.seq ${PAGE}`,
}

const sessions: Declared = {
  name: 'sessions',
  columns: [
    column('id', 'Mã'),
    column('browser', 'Trình duyệt', 'text', 'user_agent'),
    column('address', 'Địa chỉ', 'text', 'ip'),
    column('createdAt', 'Đăng nhập', 'moment'),
    column('lastUsedAt', 'Dùng lần cuối', 'moment'),
    column('expiresAt', 'Hết hạn', 'moment'),
    column('endedAt', 'Kết thúc', 'moment'),
    column('endReason', 'Lý do kết thúc'),
  ],
  ...byMoment('sessions', 'user_id', 'created_at'),
}

/** Only the notices that have a row of their own: all others are computed from bets, requests and other rows. */
const notices: Declared = {
  name: 'notices',
  columns: [
    column('id', 'Mã'),
    column('kind', 'Loại'),
    column('ref', 'Mã tham chiếu'),
    column('createdAt', 'Thời gian', 'moment'),
    column('isRead', 'Đã đọc', 'yes-no', 'coalesce(n.created_at <= m.read_through, false)'),
  ],
  first: FIRST_MOMENT,
  rows: (values) => sql`
      select ${values}, n.created_at::text as cursor_a, n.id::text as cursor_b
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
  const values = set.columns.map(({ name, value }) => `${value} as "${name}"`).join(', ')
  const of = statement(rows(sqlText(values)))
  return { ...set, page: (at) => of({ ...at }) }
})
