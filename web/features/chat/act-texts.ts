/** The texts of the menu beside a message, and of its acts such as edit and retract (docs/rules.md §7.15). */
export const actTexts = {
  acts: (name: string, time: string) => `Thao tác với tin nhắn của ${name} lúc ${time}` as const,
  answer: 'Trả lời',
  copy: 'Sao chép',
  copied: 'Đã sao chép tin nhắn',
  copyFailed: 'Không sao chép được. Vui lòng chọn và sao chép chữ trong tin nhắn.',
  edit: 'Sửa',
  editing: 'Sửa tin nhắn',
  editHint: 'Người nhận thấy nội dung mới, kèm chữ “đã sửa”.',
  giveUpEdit: 'Bỏ sửa',
  retract: 'Thu hồi',
  retractTitle: 'Thu hồi tin nhắn?',
  retractText: 'Hai bên không còn thấy nội dung tin nhắn này. Nhật ký hệ thống vẫn giữ lại nội dung.',
  retractFailed: 'Không thể thu hồi tin nhắn.',
  answering: (name: string) => `Trả lời ${name}` as const,
  giveUpAnswer: 'Bỏ trích dẫn',
  quoted: 'Xem tin được trích của',
} as const
