/** The choice of colours, in the settings and in the back office's menu. */
export const themeTexts = {
  legend: 'Giao diện',
  light: 'Sáng',
  dark: 'Tối',
  system: 'Theo máy',
} as const
