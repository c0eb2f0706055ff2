/** The texts for the office hours of customer care, which owners set (docs/rules.md §7.17). */
export const hoursTexts = {
  title: 'Giờ chăm sóc khách hàng',
  how: 'Ngoài giờ, khách vẫn nhắn được và đọc lời nhắn dưới đây kèm giờ mở lại. Chuông không báo khách chờ trả lời cho đến khi mở lại. Giờ Việt Nam.',
  /** In the order of `WEEKDAYS` in domain/chat/hours.ts, which begins with Monday. */
  weekdays: ['Thứ Hai', 'Thứ Ba', 'Thứ Tư', 'Thứ Năm', 'Thứ Sáu', 'Thứ Bảy', 'Chủ nhật'],
  closed: 'Đóng cả ngày',
  from: (weekday: string) => `${weekday}, mở từ` as const,
  to: (weekday: string) => `${weekday}, đóng lúc` as const,
  copy: 'Chép giờ thứ Hai cho cả tuần',
  awayText: 'Lời nhắn ngoài giờ',
  awayTextRequired: 'Vui lòng nhập lời nhắn cho khách',
  save: 'Lưu giờ',
  saved: 'Đã lưu giờ chăm sóc khách hàng',
  saveFailed: 'Chưa lưu được giờ chăm sóc',
} as const
