/** How far staff are with a conversation (docs/rules.md §7.12); loaded after the list of conversations. */
export const deskTexts = {
  waits: (wait: string) => `Chờ trả lời ${wait}` as const,
  isAnswered: 'Đã trả lời',
  isDone: 'Đã xong',
  snoozedUntil: (moment: string) => `Hẹn lại ${moment}` as const,
  done: 'Xong',
  snooze: 'Hẹn lại',
  openAgain: 'Mở lại',
  snoozeTitle: 'Hẹn lại lúc nào?',
  snoozeChoices: { hour: '1 giờ nữa', hours: '3 giờ nữa', tomorrow: 'Sáng mai', monday: 'Thứ Hai' },
  stateFailed: 'Chưa lưu được. Vui lòng thử lại.',
  reply: 'Trả lời',
} as const
