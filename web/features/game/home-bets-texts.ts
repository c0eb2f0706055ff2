export const homeBetsTexts = {
  running: 'Đang chạy:',
  last: 'Gần nhất:',
  until: (at: string) => `đến ${at}` as const,
  ended: (count: string, won: string, lost: string) => `${count} lệnh theo giá: ${won} thắng, ${lost} thua` as const,
} as const
