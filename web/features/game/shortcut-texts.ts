export const shortcutTexts = {
  title: 'Phím tắt',
  lead: 'Dùng trên màn hình chơi, khi bạn không gõ vào ô nào. Không phím nào tự đặt lệnh: bạn bấm Enter trên nút đã chọn.',
  keys: 'Phím',
  act: 'Việc làm',
  toBuy: 'Đến nút Mua',
  toSell: 'Đến nút Bán',
  send: 'Đặt lệnh ở nút đang chọn',
  stake: (points: string) => `Chọn ${points} điểm` as const,
  brief: [
    ['1–8', 'số điểm'],
    ['M', 'nút Mua'],
    ['B', 'nút Bán'],
    ['Enter', 'đặt lệnh'],
    ['?', 'phím tắt'],
  ],
  help: 'Mở bảng phím tắt này',
  areOn: 'Bật phím tắt trên thiết bị này',
} as const
