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
