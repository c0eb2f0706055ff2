/** The texts about the bet that a player holds, and of the link that reviews it (spec §4; rules §1.2, §2.5). */
export const heldBetTexts = {
  card: 'Lệnh của bạn',
  ifEndedNow: 'nếu hết giờ lúc này',
  settling: 'đang chốt kết quả',
  entryIsNext: 'Giá vào là giá kế tiếp',
  needs: { up: (price: string) => `Cần trên ${price}` as const, down: (price: string) => `Cần dưới ${price}` as const },
  decidedByPrice: 'theo giá vàng',
  decidedByStaff: 'Quản trị viên đã đặt kết quả phiên này. Giá vàng không quyết định lệnh.',
  decidedByScript: 'Tài khoản minh hoạ: kết quả được đặt sẵn. Giá vàng không quyết định lệnh.',
  review: 'Xem',
  reviewAgain: 'Xem lại',
  reviewThis: 'Xem lệnh này trong lịch sử',
  runningElsewhere: (type: string) => `Lệnh ${type} đang chạy` as const,
  leftElsewhere: (clock: string) => `còn ${clock}` as const,
} as const
