import type { RequestKind, RequestStatus } from '#domain/cashier/request.ts'
import type { BetStatus } from '#domain/game/bet.ts'

/** Texts of the back office's finder (rules §6.14). */
export const finderTexts = {
  title: 'Tìm trong trang quản trị',
  placeholder: 'Tên, mã, số phiên, số điểm, tin nhắn, việc cần làm…',
  results: 'Kết quả',
  recent: 'Gần đây',
  users: 'Tài khoản',
  rounds: 'Phiên',
  requests: 'Yêu cầu',
  adjustments: 'Điều chỉnh số dư',
  bets: 'Lệnh',
  banks: 'Ngân hàng đã liên kết',
  messages: 'Tin nhắn',
  everyMessage: (typed: string) => `Mọi tin nhắn có “${typed}”` as const,
  userActs: 'Thao tác với tài khoản',
  searching: 'Đang tìm…',
  failed: 'Chưa tìm được',
  nothing: (typed: string) => `Không tìm thấy gì cho “${typed}”.` as const,
  nothingHint:
    'Thử một phần của tên, từ 3 số của phiên, số điểm của yêu cầu, từ 6 ký tự đầu của mã, hoặc từ 4 số cuối của số tài khoản.',
  found: (count: string) => `${count} kết quả` as const,
  admin: 'Quản trị viên',
  frozen: 'Đã đóng băng',
  deleted: 'Đã xoá',
  waiting: (count: string) => `${count} yêu cầu chờ duyệt` as const,
  signedIn: (at: string) => `Đăng nhập từ đây ${at}` as const,
  points: (amount: string) => `${amount} điểm` as const,
  round: (type: string, number: string) => `Phiên ${type} · ${number}` as const,
  request: (kind: RequestKind, amount: string) => `${kind === 'deposit' ? 'Nạp' : 'Rút'} ${amount}` as const,
  adjustment: (change: string) => `Điều chỉnh ${change}` as const,
  bet: (direction: 'up' | 'down', stake: string) => `${direction === 'up' ? '▲ Mua' : '▼ Bán'} ${stake}` as const,
  requestStatus: { pending: 'Đang duyệt', approved: 'Đã duyệt', rejected: 'Từ chối' } satisfies Record<
    RequestStatus,
    string
  >,
  betStatus: { open: 'Đang chạy', won: 'Thắng', lost: 'Thua', voided: 'Hoàn điểm' } satisfies Record<BetStatus, string>,
  actOn: (act: string, username: string) => `${act} ${username}` as const,
  actOnSomebody: (act: string) => `${act} tài khoản…` as const,
  actOnSomebodyHint: 'Gõ tiếp tên tài khoản',
  showActs: (username: string) => `Thao tác với ${username}` as const,
  actsPlaceholder: (username: string) => `Làm gì với ${username}?` as const,
  actsFound: (username: string, count: string) => `${count} thao tác với ${username}` as const,
  back: 'Về kết quả',
  keys: '↑ ↓ để chọn, Enter để mở, → để xem thao tác, Esc để đóng',
  actsKeys: '↑ ↓ để chọn, Enter để làm, ← hoặc Esc để về kết quả',
} as const
