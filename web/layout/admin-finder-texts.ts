/** Pages and acts as the finder names them. */
export const adminFinderTexts = {
  pages: 'Trang',
  acts: 'Thao tác',
  openRound: (type: string) => `Mở phiên ${type}` as const,
  themeIs: (theme: string) => `Giao diện: ${theme}` as const,
  leave: 'Đăng xuất',
  freeze: 'Đóng băng',
  unfreeze: 'Mở đóng băng',
} as const
