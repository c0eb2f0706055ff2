/**
 * Every sentence and label a person reads, by screen. The spec's are verbatim (checks/texts.test.ts compares them with
 * the spec's quoted strings); ours say "phiên", "dự đoán", "điểm" and never promise returns (rules §1.1). What the
 * server refuses arrives with its own sentence and is not repeated here.
 *
 * One exported object per screen. What signing in does without stands in files of its own (game-texts.ts …), since a
 * chunk holds whole files.
 */

/** Words used on many screens. */
export const commonTexts = {
  productName: 'Kim Phiên',
  version: '1.0.0',
  loading: 'Loading...',
  retry: 'Thử lại',
  reloadPage: 'Làm mới trang',
  close: 'Đóng',
  cancel: 'Huỷ',
  confirm: 'Xác nhận',
  working: 'Đang xử lý',
  back: 'Quay lại',
  previousPage: 'Trang trước',
  nextPage: 'Trang sau',
  page: (page: string, pages: string) => `Trang ${page}/${pages}` as const,
  today: 'Hôm nay',
  yesterday: 'Hôm qua',
  points: 'điểm',
  rising: 'tăng',
  falling: 'giảm',
  unchanged: 'không đổi',
  skipToContent: 'Bỏ qua đến nội dung',
  notifications: 'Thông báo',
  demoData: 'Dữ liệu dựng thử',
  offline: 'Mất kết nối mạng. Dữ liệu có thể đã cũ.',
  somethingWrong: 'Có lỗi xảy ra',
  somethingWrongTryAgain: 'Có lỗi xảy ra, vui lòng thử lại',
  serverTooSlow: 'Máy chủ phản hồi quá lâu. Vui lòng thử lại.',
  serverUnreachable: 'Không kết nối được máy chủ. Vui lòng kiểm tra mạng rồi thử lại.',
  screenFailed: 'Màn hình này không mở được.',
  notFoundTitle: 'Không tìm thấy trang',
  notFound: 'Đường dẫn này không có trong Kim Phiên.',
  notFoundAction: 'Về trang chủ',
  showPassword: 'Hiện mật khẩu',
  hidePassword: 'Ẩn mật khẩu',
} as const

/** Said wherever money is shown; no configuration can switch it off (rules §1.1). */
export const playMoneyTexts = {
  everywhere: 'Trò chơi mô phỏng bằng điểm ảo, không quy đổi thành tiền.',
  bankForm: 'Không nhập thông tin tài khoản thật.',
  depositsAndChat:
    'Nhân viên không bao giờ đề nghị chuyển tiền thật. Điểm không mua được và không đổi được thành tiền.',
} as const

export const themeTexts = {
  legend: 'Giao diện',
  light: 'Sáng',
  dark: 'Tối',
  system: 'Theo máy',
} as const

/** The user shell's tab bar (spec §2). */
export const shellTexts = {
  navigation: 'Điều hướng chính',
  home: 'Trang chủ',
  invest: 'Đầu tư',
  support: 'CSKH',
  account: 'Tài khoản',
} as const

/** The Authenticated-area wrapper's blocking screen (spec §2, §8). */
export const pausedAccountTexts = {
  title: 'Tài khoản đã bị vô hiệu hoá',
  message: 'Tài khoản của bạn đã bị vô hiệu hoá. Vui lòng liên hệ admin để được hỗ trợ.',
  footerHint: 'Nếu bạn cho rằng đây là lỗi, hãy thử làm mới trang hoặc liên hệ hỗ trợ',
} as const

/** Titles of the screens, for the browser's tab and for the heading announced on arrival. */
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
  limits: 'Giới hạn chơi',
  support: 'CSKH',
  changePassword: 'Đổi mật khẩu',
  admin: 'Dashboard',
  adminGame: 'Game',
  adminHistory: 'Lịch sử tham gia',
  adminChat: 'Tin nhắn',
  adminAudit: 'Nhật ký quản trị',
} as const

/** Login and register (spec §2, §5, §8). */
export const signInTexts = {
  username: 'Tài khoản',
  password: 'Mật khẩu',
  passwordAgain: 'Nhập lại mật khẩu',
  referralCode: 'Mã giới thiệu',
  loginButton: 'Đăng nhập',
  registerButton: 'Đăng ký',
  toRegister: 'Chưa có tài khoản? Đăng ký',
  toLogin: 'Đã có tài khoản? Đăng nhập',
  forgotPassword: 'Quên mật khẩu?',
  usernameHint: 'Chữ không dấu và số, từ 3 đến 32 ký tự',
  passwordHint: 'Ít nhất 6 ký tự',
  usernameRequired: 'Vui lòng nhập tài khoản',
  passwordRequired: 'Vui lòng nhập mật khẩu',
  referralRequired: 'Vui lòng nhập mã giới thiệu',
  usernameLetters: 'Tài khoản viết không dấu và không có khoảng trắng',
  usernameInvalid: 'Tài khoản viết không dấu, không khoảng trắng, từ 3 đến 32 ký tự',
  passwordTooShort: 'Mật khẩu phải có ít nhất 6 ký tự',
  passwordTooLong: 'Mật khẩu có nhiều nhất 128 ký tự',
  passwordsDiffer: 'Mật khẩu nhập lại không khớp',
  referralWrong: 'Mã giới thiệu sai',
  forgotPasswordHelp: (contact: string) => `Liên hệ ${contact} để được đặt lại mật khẩu.` as const,
  forgotPasswordHelpUnknown: 'Liên hệ quản trị viên để được đặt lại mật khẩu.',
  sessionEnded: 'Phiên đăng nhập đã kết thúc. Vui lòng đăng nhập lại.',
  loginDone: 'Đăng nhập thành công!',
  loginFailed: 'Đăng nhập thất bại',
  registerDone: 'Đăng ký thành công!',
  registerFailed: 'Đăng ký thất bại',
} as const

/** Change password (spec §5, §8). */
export const changePasswordTexts = {
  current: 'Mật khẩu hiện tại',
  next: 'Mật khẩu mới',
  confirmation: 'Xác nhận mật khẩu mới',
  currentRequired: 'Vui lòng nhập mật khẩu hiện tại',
  nextRequired: 'Vui lòng nhập mật khẩu mới',
  confirmationRequired: 'Vui lòng xác nhận mật khẩu mới',
  tooShort: 'Mật khẩu phải có ít nhất 6 ký tự',
  tooLong: 'Mật khẩu có nhiều nhất 128 ký tự',
  differs: 'Mật khẩu xác nhận không khớp',
  submit: 'Đổi mật khẩu',
  setByStaff: 'Mật khẩu của bạn do quản trị viên đặt. Vui lòng đổi mật khẩu trước khi tiếp tục.',
  setByStaffAt: (at: string) => `Đặt lúc ${at}.` as const,
  otherSessionsEnd: 'Các thiết bị khác đang đăng nhập sẽ bị đăng xuất.',
  failed: 'Có lỗi xảy ra',
  done: 'Đổi mật khẩu thành công',
} as const
