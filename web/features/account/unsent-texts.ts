/** Texts of the question that a logout asks while a message or a draft is unsent (rules §7.8). */
export const unsentTexts = {
  title: 'Còn tin nhắn chưa gửi',
  text: (count: string) => `${count} tin nhắn chưa được gửi sẽ bị xoá khỏi máy này khi đăng xuất.` as const,
  confirm: 'Vẫn đăng xuất',
} as const
