export const lastKnownTexts = {
  since: (at: string) => `số liệu ${at}` as const,
} as const
