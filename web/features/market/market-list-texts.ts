/** The texts of the list of markets (spec §2, rules §5). */
export const marketListTexts = {
  lead: 'Phiên chỉ dùng giá vàng. Giá coin chỉ để xem.',
  gold: 'Vàng',
  goldPair: 'XAU/USD',
  coins: '20 coin hàng đầu theo vốn hoá',
  price: 'Giá',
  change: '24 giờ',
  sample: 'dữ liệu mẫu',
  sampleDetail: 'Chưa lấy được giá coin, danh sách dưới đây là dữ liệu mẫu.',
  updatedAt: 'Cập nhật',
  stale: 'Giá coin đã cũ, cập nhật',
  refreshFailed: 'Chưa cập nhật được giá mới.',
  failed: 'Không tải được danh sách thị trường.',
  star: (coin: string) => `Giữ ${coin} ở đầu danh sách` as const,
  noPrice: 'Đang chờ giá',
} as const
