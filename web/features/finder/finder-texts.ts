import type { RequestKind, RequestStatus } from '#domain/cashier/request.ts'
import type { BetStatus } from '#domain/game/bet.ts'

/** The back office's finder: one field that leads anywhere. */
export const finderTexts = {
  title: 'Tìm trong trang quản trị',
  placeholder: 'Tên, mã, số phiên, số tài khoản, việc cần làm…',
  results: 'Kết quả',
  recent: 'Gần đây',
  users: 'Tài khoản',
  rounds: 'Phiên',
  requests: 'Yêu cầu',
  bets: 'Lệnh',
  banks: 'Ngân hàng đã liên kết',
  userActs: 'Thao tác với tài khoản',
  searching: 'Đang tìm…',
  failed: 'Chưa tìm được',
  nothing: (typed: string) => `Không tìm thấy gì cho “${typed}”.` as const,
  nothingHint:
    'Thử một phần của tên, từ 6 ký tự đầu của mã, số phiên như “60s 1234”, hoặc từ 4 số cuối của số tài khoản.',
  found: (count: string) => `${count} kết quả` as const,
  admin: 'Quản trị viên',
  frozen: 'Đã đóng băng',
  deleted: 'Đã xoá',
  round: (type: string, number: string) => `Phiên ${type} · ${number}` as const,
  request: (kind: RequestKind, amount: string) => `${kind === 'deposit' ? 'Nạp' : 'Rút'} ${amount}` as const,
  bet: (direction: 'up' | 'down', stake: string) => `${direction === 'up' ? '▲ Mua' : '▼ Bán'} ${stake}` as const,
  requestStatus: { pending: 'Đang duyệt', approved: 'Đã duyệt', rejected: 'Từ chối' } satisfies Record<
    RequestStatus,
    string
  >,
  betStatus: { open: 'Đang chạy', won: 'Thắng', lost: 'Thua', voided: 'Hoàn điểm' } satisfies Record<BetStatus, string>,
  actOn: (act: string, username: string) => `${act} ${username}` as const,
  actOnSomebody: (act: string) => `${act} tài khoản…` as const,
  actOnSomebodyHint: 'Gõ tiếp tên tài khoản',
  keys: 'Phím ↑ ↓ để chọn, Enter để mở, Esc để đóng',
} as const
