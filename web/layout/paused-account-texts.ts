import * as sentences from '#contract/sentences.ts'

export const pausedAccountTexts = {
  title: 'Tài khoản đã bị vô hiệu hoá',
  signedInAs: (username: string) => `Đang đăng nhập: ${username}` as const,
  logOut: 'Đăng xuất',
  message: sentences.ACCOUNT_PAUSED,
  footerHint: 'Nếu bạn cho rằng đây là lỗi, hãy thử làm mới trang hoặc liên hệ hỗ trợ',
} as const
