/** Texts about the topics of conversations. Only staff see them (rules §7.16). */
export const careTopicTexts = {
  none: 'Chưa rõ',
  topics: { bet: 'Lệnh', deposit: 'Nạp', withdrawal: 'Rút', account: 'Tài khoản', other: 'Khác' },
} as const
