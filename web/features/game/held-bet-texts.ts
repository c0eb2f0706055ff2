/** The card of the bet that a player holds, and its two small forms (spec §4; rules §1.2, §2.5). */
export const heldBetTexts = {
  card: 'Lệnh của bạn',
  left: (clock: string) => `Còn ${clock}` as const,
  settling: 'Đang chốt kết quả',
  ended: 'Đã hết giờ',
  ifEndedNow: 'Nếu kết thúc lúc này',
  nextPrice: 'giá kế tiếp',
  now: 'Bây giờ',
  decidedByPrice: 'theo giá vàng',
  decidedByStaff: 'Quản trị viên đã đặt kết quả phiên này. Giá vàng không quyết định lệnh.',
  decidedByScript: 'Tài khoản minh hoạ: kết quả được đặt sẵn. Giá vàng không quyết định lệnh.',
  review: 'Xem',
  reviewThis: 'Xem lệnh này trong lịch sử',
  runningElsewhere: (type: string) => `Lệnh ${type} đang chạy` as const,
  leftElsewhere: (clock: string) => `còn ${clock}` as const,
} as const
