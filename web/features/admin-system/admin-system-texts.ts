import type { AlarmWhy } from '#contract/attention.ts'
import type { SystemFacts, SystemPart, SystemWhy } from '#contract/system.ts'

type Part = {
  readonly name: string
  readonly todo: string
}

const parts: Record<SystemPart, Part> = {
  database: { name: 'Cơ sở dữ liệu', todo: 'Xem nhật ký của cơ sở dữ liệu, hoặc trỏ DATABASE_URL tới máy chính.' },
  migrations: { name: 'Cấu trúc dữ liệu', todo: 'Chạy máy chủ đúng phiên bản của dữ liệu.' },
  partitions: { name: 'Ngăn dữ liệu theo tháng', todo: 'Khởi động lại một máy chủ và xem nhật ký của nó.' },
  clock: { name: 'Đồng hồ', todo: 'Đặt giờ của cả hai máy theo NTP.' },
  feed: {
    name: 'Nguồn giá',
    todo: 'Thường tự trở lại sau ít giây. Nếu không, xem máy chủ có tới được nguồn giá không.',
  },
  book: { name: 'Sổ mở', todo: 'Làm theo trang hướng dẫn, rồi chạy npm run log:restart nếu trang ấy nói vậy.' },
  ledger: { name: 'Sổ cái', todo: 'Chạy npm run audit:ledger để biết chỗ lệch.' },
  archive: { name: 'Lưu trữ nhật ký PostgreSQL', todo: 'Xem nhật ký của PostgreSQL và thư mục deploy/backup.' },
  backup: { name: 'Sao lưu', todo: 'Đặt BACKUP_EVERY, hoặc chạy npm run backup: lệnh này nói lý do nếu chưa được.' },
  rehearsal: {
    name: 'Khôi phục thử',
    todo: 'Khôi phục thử một bản sao lấy từ máy khác bằng npm run restore -- --rehearse.',
  },
  disk: { name: 'Đĩa dữ liệu', todo: 'Dọn bớt, hoặc thêm đĩa: đĩa đầy thì máy chủ dừng.' },
  backupDisk: { name: 'Đĩa sao lưu', todo: 'Dọn bớt, hoặc thêm đĩa: đĩa đầy thì không còn bản sao lưu mới.' },
  redis: { name: 'Redis', todo: 'Khởi động Redis, hoặc sửa REDIS_URL.' },
  proxy: {
    name: 'Proxy',
    todo: 'Đặt một proxy có https phía trước, rồi ghi địa chỉ của trang vào PUBLIC_ORIGIN, của proxy vào TRUST_PROXY.',
  },
  use: { name: 'Đang dùng', todo: 'Xem tải của cơ sở dữ liệu.' },
  version: { name: 'Phiên bản', todo: 'Đọc CHANGELOG.md và mục “A new version” của docs/one-server.md.' },
}

const whys: Record<Exclude<SystemWhy, AlarmWhy>, string> = {
  LATE: 'Chưa trả lời kịp. Trang này hỏi lại sau ít giây.',
  BROKEN: 'Chưa xem được.',
  NONE: 'Chưa có lần nào.',
  OLD: 'Lần gần nhất đã quá lâu.',
  FAILED: 'Lần gần nhất không thành.',
  UNPROVED: 'Bản mới nhất không khôi phục được.',
  FULL: 'Sắp đầy.',
  FILLING: 'Sẽ đầy trong vài ngày tới.',
  SLOW: 'Trả lời chậm.',
  OFF: 'Lệch so với giờ của cơ sở dữ liệu.',
  READ_ONLY: 'Chỉ đọc được.',
  OUTDATED: 'Phiên bản quá cũ.',
  NEWER: 'Có bản mới hơn.',
  MISSING: 'Còn thiếu.',
  MOVING: 'Việc chuyển sang cơ sở dữ liệu này chưa xong.',
  UNTRUSTED: 'TRUST_PROXY chưa đặt: mọi người sau proxy bị tính là một địa chỉ.',
  PLAIN_HTTP: 'PUBLIC_ORIGIN không phải https: mật khẩu có thể bị đọc trên đường truyền.',
}

const facts: Record<keyof SystemFacts, string> = {
  version: 'Phiên bản',
  newer: 'Bản mới hơn',
  source: 'Nguồn',
  atMs: 'Lần gần nhất',
  failedAtMs: 'Không thành',
  sizeBytes: 'Dung lượng',
  freeBytes: 'Còn trống',
  allBytes: 'Tổng cộng',
  growthBytes: 'Tăng mỗi ngày',
  daysLeft: 'Đủ dùng',
  entries: 'Số mục',
  tookMs: 'Trả lời trong',
  offMs: 'Độ lệch',
  sessions: 'Lần đăng nhập',
  sockets: 'Kết nối',
}

/** Texts of "Hệ thống", where owners see the state of their installation (rules §6.15). */
export const systemTexts = {
  subtitle: 'Như npm run doctor, hỏi lại mỗi 10 giây',
  health: 'Tình trạng',
  states: { ok: 'Tốt', wrong: 'Cần xử lý', skipped: 'Chưa rõ' },
  summary: (wrong: number) => (wrong === 0 ? 'Không có phần nào cần xử lý.' : `${wrong} phần cần xử lý.`),
  ...{ parts, whys, facts },
  guide: 'Hướng dẫn',
  days: (count: string) => `${count} ngày` as const,
  noGrowth: 'không tăng',
  growthUnknown: 'chưa biết: cần ba ngày ghi lại',
  beyond:
    'npm run doctor trên máy chủ còn kiểm lại toàn bộ sổ cái và nhật ký quản trị, quyền của tệp và đường đi qua proxy.',
  failures: 'Lỗi gần đây',
  failuresWhy:
    'Cảnh báo và lỗi theo loại, của tiến trình đang trả lời, từ khi nó khởi động. Chi tiết nằm trong nhật ký của máy chủ.',
  noFailures: 'Chưa có cảnh báo hay lỗi nào.',
  times: (count: string) => `${count} lần` as const,
  loadFailed: 'Chưa tải được tình trạng hệ thống',
  rehearsalWrong: 'Việc khôi phục thử cần xem lại',
  toSystem: 'Xem hệ thống',
} as const
