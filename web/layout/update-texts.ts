export const updateTexts = {
  available: 'Có phiên bản mới.',
  take: 'Cập nhật ngay',
} as const
