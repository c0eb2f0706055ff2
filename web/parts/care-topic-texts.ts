/** The topics of a case of customer care (docs/rules.md §7.16); for staff alone. */
export const careTopicTexts = {
  none: 'Chưa rõ',
  topics: { bet: 'Lệnh', deposit: 'Nạp', withdrawal: 'Rút', account: 'Tài khoản', other: 'Khác' },
} as const
