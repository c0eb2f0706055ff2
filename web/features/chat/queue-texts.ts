/** Texts about customer care's queue and duty (docs/rules.md §7.13), loaded after the list of conversations. */
export const queueTexts = {
  unheld: 'Chưa ai nhận',
  unheldWaits: (wait: string) => `Chưa ai nhận, chờ ${wait}` as const,
  takenBy: (username: string) => `${username} đã nhận cuộc trò chuyện này` as const,
  putBack: 'Trả về hàng chờ',
  putBackTitle: 'Trả về hàng chờ?',
  putBackText: (customer: string) => `Ai có quyền Chăm sóc cũng nhận được cuộc trò chuyện với ${customer}.` as const,
  isPutBack: 'Đã trả về hàng chờ',
  onDuty: 'Đang trực',
  capacity: 'Nhận nhiều nhất',
  capacityChoice: (count: string) => `tối đa ${count}` as const,
  dutyFailed: 'Chưa lưu được. Vui lòng thử lại.',
  dutyNotLoaded: 'Chưa tải được việc trực.',
} as const
