export const themeTexts = {
  legend: 'Giao diện',
  light: 'Sáng',
  dark: 'Tối',
  system: 'Theo máy',
} as const
