/** In the offline bar: when what is shown was answered. */
export const lastKnownTexts = {
  since: (at: string) => `số liệu ${at}` as const,
} as const
