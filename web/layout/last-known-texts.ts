/** Texts of the offline bar: when the data on screen was answered. */
export const lastKnownTexts = {
  since: (at: string) => `số liệu ${at}` as const,
} as const
