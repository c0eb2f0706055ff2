export const filterSheetTexts = {
  title: 'Lọc và sắp xếp',
  show: 'Xem danh sách',
  showRows: (count: string) => `Xem ${count} hàng` as const,
} as const
