export const pictureTexts = {
  table: 'Xem bảng số',
  read: (title: string) => `Đọc từng điểm: ${title}` as const,
  tableOf: (title: string) => `Bảng số: ${title}` as const,
  highest: (amount: string) => `Cao nhất ${amount}` as const,
  secondPrices: 'Bảng giá từng giây',
  second: 'Giờ',
  price: 'Giá',
  noPrice: 'Không có giá',
  lowest: (amount: string) => `Thấp nhất ${amount}` as const,
} as const
