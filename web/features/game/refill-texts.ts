/** Texts of the card for a player with almost no points left (rules §3.7). They never urge the player to play on. */
export const refillTexts = {
  title: (amount: string) => `Bạn còn ${amount} điểm` as const,
  offer: (amount: string) => `Bạn có thể nhận thêm ${amount} điểm ảo, mỗi ngày một lần.` as const,
  take: 'Nhận thêm điểm',
  taken: (amount: string) => `Đã nhận ${amount} điểm` as const,
  failed: 'Chưa nhận được điểm. Vui lòng thử lại.',
  toLimits: 'Giới hạn và tạm nghỉ',
} as const
