/**
 * On-screen texts that many screens share; every screen loads this file. Texts from the spec are verbatim
 * (checks/texts.test.ts). Our own texts use "phiên", "dự đoán", "điểm" and promise no returns (rules §1.1).
 */

export const commonTexts = {
  productName: 'Kim Phiên',
  loading: 'Loading...',
  retry: 'Thử lại',
  close: 'Đóng',
  cancel: 'Huỷ',
  confirm: 'Xác nhận',
  working: 'Đang xử lý',
  back: 'Quay lại',
  today: 'Hôm nay',
  yesterday: 'Hôm qua',
  points: 'điểm',
  rising: 'tăng',
  falling: 'giảm',
  unchanged: 'không đổi',
  skipToContent: 'Bỏ qua đến nội dung',
  notifications: 'Thông báo',
  demoData: 'Dữ liệu dựng thử',
  offline: 'Ngoại tuyến',
  serverAway: 'Chưa nối được máy chủ',
  tryNow: 'Thử ngay',
  partsMissing: 'Trang chưa tải đủ',
  reload: 'Làm mới trang',
  somethingWrong: 'Có lỗi xảy ra',
  withRequestId: (sentence: string, id: string) => `${sentence} (mã lỗi ${id})` as const,
  serverTooSlow: 'Máy chủ phản hồi quá lâu. Vui lòng thử lại.',
  serverUnreachable: 'Không kết nối được máy chủ. Vui lòng kiểm tra mạng rồi thử lại.',
  unsure:
    'Chưa nhận được trả lời của máy chủ nên chưa rõ thao tác vừa rồi đã xong hay chưa. Bạn hãy kiểm tra mạng và xem lại trước khi thử lại.',
  screenFailed: 'Màn hình này không mở được.',
  askCare: 'Hỏi CSKH',
  caseOf: (problem: string, path: string) => `Tôi gặp lỗi: ${problem} Trang: ${path}` as const,
  notFoundTitle: 'Không tìm thấy trang',
  notFound: 'Đường dẫn này không có trong Kim Phiên.',
  notFoundAction: 'Về trang chủ',
} as const

/** The longest description that "Hỏi CSKH" copies to the message field, in UTF-16 units. */
export const CASE_MAX = 300

/** The text that is shown where players use points. No setting can switch it off (rules §1.1). */
export const playMoneyTexts = {
  everywhere: 'Trò chơi mô phỏng bằng điểm ảo, không quy đổi thành tiền.',
} as const

export const screenTitles = {
  login: 'Đăng nhập',
  register: 'Đăng ký',
  home: 'Trang chủ',
  transaction: 'Giao dịch',
  marketList: 'Đầu tư',
  game: 'Vàng · XAU/USD',
  bank: 'Liên kết ngân hàng',
  account: 'Tài khoản',
  ledger: 'Lịch sử số dư',
  bets: 'Lịch sử đặt lệnh',
  statistics: 'Thống kê',
  limits: 'Giới hạn chơi',
  settings: 'Cài đặt',
  notifications: 'Thông báo',
  support: 'CSKH',
  help: 'Trợ giúp',
  round: 'Biên nhận phiên',
  book: 'Sổ mở',
  verify: 'Tự kiểm chứng',
  changePassword: 'Đổi mật khẩu',
  admin: 'Dashboard',
  adminCustomer: 'Khách hàng',
  adminGame: 'Game',
  adminRound: 'Phiên',
  adminHistory: 'Lịch sử tham gia',
  adminChat: 'Tin nhắn',
  adminCareReport: 'Báo cáo CSKH',
  adminDisputes: 'Khiếu nại',
  adminProposals: 'Chờ người thứ hai',
  adminAudit: 'Nhật ký quản trị',
  adminSecurity: 'Bảo mật',
  adminSystem: 'Hệ thống',
} as const
