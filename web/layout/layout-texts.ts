import * as sentences from '#contract/sentences.ts'

/** The user shell's tab bar (spec §2). */
export const shellTexts = {
  navigation: 'Điều hướng chính',
  home: 'Trang chủ',
  invest: 'Đầu tư',
  support: 'CSKH',
  account: 'Tài khoản',
} as const

/** The bell of every header (rules §6.10). */
export const bellTexts = {
  bell: (unread: number) =>
    unread === 0 ? 'Thông báo' : `Thông báo, ${unread > 99 ? 'hơn 99' : String(unread)} chưa đọc`,
} as const

/** The Authenticated-area wrapper's blocking screen (spec §2, §8). */
export const pausedAccountTexts = {
  title: 'Tài khoản đã bị vô hiệu hoá',
  signedInAs: (username: string) => `Đang đăng nhập: ${username}` as const,
  logOut: 'Đăng xuất',
  message: sentences.ACCOUNT_PAUSED,
  footerHint: 'Nếu bạn cho rằng đây là lỗi, hãy thử làm mới trang hoặc liên hệ hỗ trợ',
} as const
