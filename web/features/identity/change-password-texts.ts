import * as sentences from '#contract/sentences.ts'

export const changePasswordTexts = {
  current: 'Mật khẩu hiện tại',
  next: 'Mật khẩu mới',
  confirmation: 'Xác nhận mật khẩu mới',
  currentRequired: 'Vui lòng nhập mật khẩu hiện tại',
  nextRequired: 'Vui lòng nhập mật khẩu mới',
  confirmationRequired: 'Vui lòng xác nhận mật khẩu mới',
  tooShort: sentences.PASSWORD_INVALID,
  tooLong: 'Mật khẩu có nhiều nhất 128 ký tự',
  differs: 'Mật khẩu xác nhận không khớp',
  submit: 'Đổi mật khẩu',
  setByStaff: 'Mật khẩu của bạn do quản trị viên đặt. Vui lòng đổi mật khẩu trước khi tiếp tục.',
  setByStaffAt: (at: string) => `Đặt lúc ${at}.` as const,
  otherSessionsEnd: 'Các thiết bị khác đang đăng nhập sẽ bị đăng xuất.',
  logOut: 'Đăng xuất',
  failed: 'Có lỗi xảy ra',
  done: 'Đổi mật khẩu thành công',
} as const
