export const shellTexts = {
  navigation: 'Điều hướng chính',
} as const

export const bellTexts = {
  bell: (unread: number) =>
    unread === 0 ? 'Thông báo' : `Thông báo, ${unread > 99 ? 'hơn 99' : String(unread)} chưa đọc`,
} as const
