/** The offline bar's second line: how old the screen is, and what can't be done. */
export const lastKnownTexts = {
  since: (at: string, age: string) =>
    `Số liệu lúc ${at} (${age}). Chưa đặt lệnh, gửi yêu cầu hay nhắn tin được.` as const,
} as const
