/** The texts of the question whether customer care helped (docs/rules.md §7.16). */
export const caseTexts = {
  question: 'Được giúp chưa?',
  answers: { good: 'Đã được', bad: 'Chưa' },
  more: 'Nói thêm (không bắt buộc)',
  send: 'Gửi',
  skip: 'Bỏ qua câu hỏi',
  thanks: 'Cảm ơn bạn đã cho biết.',
  notSent: 'Chưa gửi được. Vui lòng thử lại.',
} as const
