/** The texts must not urge the player to play on (rules §8). */
export const refillTexts = {
  title: (amount: string) => `Bạn còn ${amount} điểm` as const,
  offer: (amount: string) => `Bạn có thể nhận thêm ${amount} điểm ảo, mỗi ngày một lần.` as const,
  take: 'Nhận thêm điểm',
  taken: (amount: string) => `Đã nhận ${amount} điểm` as const,
  failed: 'Chưa nhận được điểm. Vui lòng thử lại.',
  toLimits: 'Giới hạn và tạm nghỉ',
} as const
