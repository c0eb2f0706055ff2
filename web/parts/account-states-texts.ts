export const accountStateTexts = {
  deleted: 'Đã xoá',
  frozen: 'Đóng băng',
  autoWin: 'auto win',
  autoLose: 'auto lose',
  mustChange: 'Chờ đổi mật khẩu',
  active: 'Hoạt động',
} as const
