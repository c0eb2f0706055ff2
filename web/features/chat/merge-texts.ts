/** Texts for merging two conversations of a customer (docs/rules.md §7.19), loaded after the conversations' list. */
export const mergeTexts = {
  group: 'Khách có cuộc trò chuyện khác',
  open: 'Gộp hội thoại…',
  title: (customer: string) => `Gộp hội thoại của ${customer}?` as const,
  what: 'Mọi tin nhắn, ghi chú nội bộ và nhãn của hai bên vào một hội thoại do bạn phụ trách, xếp theo giờ gửi. Liên kết cũ vẫn mở được. Không tách lại được.',
  customer: 'Khách chỉ còn thấy một hội thoại, không nhận thông báo.',
  own: 'Hội thoại đang mở',
  others: 'Gộp vào đó',
  holder: (name: string) => `${name} phụ trách` as const,
  yours: 'Bạn phụ trách',
  facts: (count: string, state: string, moment: string) => `${count} tin nhắn · ${state} · ${moment}` as const,
  states: { open: 'Đang mở', snoozed: 'Đang hẹn lại', done: 'Đã xong' },
  held: (name: string) => `${name} chưa xong: nhờ họ đánh dấu xong hoặc trả về hàng chờ trước.` as const,
  confirm: 'Gộp hội thoại',
  failed: 'Chưa gộp được hội thoại.',
  isMerged: (count: string) => `Đã gộp thành một hội thoại ${count} tin nhắn` as const,
} as const
