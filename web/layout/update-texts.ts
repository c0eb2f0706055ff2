/** Texts for a newer version of the product that waits on this device. */
export const updateTexts = {
  available: 'Có phiên bản mới.',
  take: 'Cập nhật ngay',
} as const
