export const controlTexts = {
  previousPage: 'Trang trước',
  nextPage: 'Trang sau',
  page: (page: string, pages: string) => `Trang ${page}/${pages}` as const,
  accountEnding: (digits: string) => `Số tài khoản kết thúc bằng ${digits}` as const,
  showPassword: 'Hiện mật khẩu',
  hidePassword: 'Ẩn mật khẩu',
} as const
