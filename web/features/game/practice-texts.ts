/** The texts of the practice: one recorded round in four short cards. */
export const practiceTexts = {
  title: 'Chơi thử một phiên',
  step: (step: number) => `${step} / 4` as const,
  notSent: 'Lệnh của bạn chưa được gửi. Xem xong hoặc bỏ qua, bạn thấy lại lệnh đó.',
  skip: 'Bỏ qua',
  next: 'Tiếp',
  toResult: 'Xem kết quả',
  toRules: 'Xem luật chơi',
  done: 'Xong',
  backToOrder: 'Về lệnh của bạn',
  chart: (date: string) => `Giá mô phỏng đã công bố, ngày ${date}` as const,
  startsAt: 'bắt đầu',
  endsAt: 'kết thúc',
  entry: 'Giá vào',
  now: 'Bây giờ',
  exit: 'Giá ra',
  difference: 'Chênh lệch',
  round: {
    title: 'Một phiên dài vài chục giây',
    text: 'Bạn đoán giá vàng lúc hết phiên sẽ cao hơn hay thấp hơn giá vào. Đây là một phiên đã ghi lại, đang ở giây thứ 9.',
  },
  choice: {
    title: 'Chọn một bên',
    text: 'Mua nếu bạn đoán giá tăng, Bán nếu bạn đoán giá giảm. Đây chỉ là đặt thử 10 điểm: số dư của bạn không đổi.',
  },
  replay: {
    title: 'Giá vào là giá kế tiếp',
    text: 'Lệnh vào ở giá được báo ngay sau khi bấm, không phải giá đang thấy. Từ đó chỉ giá lúc hết phiên là đáng kể.',
  },
  result: {
    title: 'Hết phiên',
    higher: (exit: string, entry: string) => `Giá ra ${exit} cao hơn giá vào ${entry}.` as const,
    lower: (exit: string, entry: string) => `Giá ra ${exit} thấp hơn giá vào ${entry}.` as const,
    order: (side: string) => `${side} 10 điểm · 30s` as const,
    nothingMoved: 'Phiên thử: không điểm nào được cộng hay trừ.',
    balanced: 'Nửa số phiên thử tăng, nửa giảm: bên nào cũng thua nhiều như thắng, ở phiên thật cũng gần như vậy.',
  },
} as const
