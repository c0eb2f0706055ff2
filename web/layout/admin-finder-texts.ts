/** Pages and acts as the finder names them. */
export const adminFinderTexts = {
  pages: 'Trang',
  acts: 'Thao tác',
  openRound: (type: string) => `Mở phiên ${type}` as const,
  themeIs: (theme: string) => `Giao diện: ${theme}` as const,
  leave: 'Đăng xuất',
  openPage: 'Mở trang',
  write: 'Nhắn tin',
  adjust: 'Điều chỉnh số dư',
  edit: 'Sửa',
  waiting: 'Duyệt yêu cầu',
  ledger: 'Xem sổ điểm',
  bets: 'Xem lệnh',
  freeze: 'Đóng băng',
  unfreeze: 'Mở đóng băng',
} as const
