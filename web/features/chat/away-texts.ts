/** The texts for players while customer care is closed (docs/rules.md §7.17). */
export const awayTexts = {
  /** Sunday comes first, because `Date` numbers the weekdays from Sunday. */
  onWeekday: ['Chủ nhật', 'thứ Hai', 'thứ Ba', 'thứ Tư', 'thứ Năm', 'thứ Sáu', 'thứ Bảy'],
  opensAt: (time: string, weekday: string, day: string) => `Mở lại lúc ${time} ${weekday}, ${day}` as const,
} as const
