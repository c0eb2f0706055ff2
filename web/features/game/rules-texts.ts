/** The texts of the game's rules sheet and of the signals of a result: sound and vibration (rules §1.2, §2, §5). */
export const rulesTexts = {
  title: 'Luật chơi',
  understood: 'Đã hiểu',
  roundTitle: 'Một phiên diễn ra thế nào',
  round: [
    'Chọn loại phiên, số điểm và hướng: Mua ▲ nếu bạn đoán giá vàng tăng, Bán ▼ nếu bạn đoán giá giảm.',
    'Giá vào là giá đầu tiên được báo sau khi lệnh được nhận, nên giá đang thấy khi bấm có thể khác một chút.',
    'Giá ra là giá đúng lúc phiên kết thúc. Mua thắng khi giá ra cao hơn giá vào, Bán thắng khi giá ra thấp hơn.',
    'Giá ra bằng giá vào, hoặc thiếu một trong hai giá: hoàn lại toàn bộ số điểm đã đặt.',
  ],
  payoutTitle: 'Thắng và thua bao nhiêu',
  type: 'Loại phiên',
  rate: 'Tỷ lệ',
  example: 'Đặt 100 điểm',
  payout: [
    'Thắng thì được thêm tỷ lệ × số điểm đặt, thua thì mất đúng chừng đó; phần còn lại của số điểm đặt trở về số dư.',
    'Lợi thế của hệ thống là 0%: thắng và thua cùng một tỷ lệ, không thu phí.',
    'Giá lên hay xuống trong vài chục giây gần như ngẫu nhiên. Kết quả các phiên trước không cho biết phiên sau.',
  ],
  basisTitle: 'Điều gì quyết định kết quả',
  basis: [
    'Giá vàng, trừ khi màn hình nói khác trước lúc bạn đặt: kết quả phiên do quản trị viên đặt, hoặc tài khoản minh hoạ có kết quả đặt sẵn.',
    'Giá mô phỏng được tính từ một con số bí mật: mã kiểm của nó công bố trước, chính nó công bố sau. Bên vận hành có thể biết trước đường giá mô phỏng.',
    'Mỗi lệnh đã kết thúc xem lại được từng giây trong Lịch sử đặt lệnh.',
  ],
  book: 'Mọi điều quyết định kết quả được ghi vào một cuốn sổ công khai, ai cũng tính lại được.',
  measured: (bets: string, percent: string, low: string, high: string) =>
    `Đo từ sổ công khai: trong ${bets} lệnh có thắng thua theo giá, ${percent} thắng (khoảng 95%: ${low} – ${high}).` as const,
  toBook: 'Xem Sổ mở',
  help: 'Câu hỏi thường gặp',
  signalsTitle: 'Báo khi có kết quả',
  sound: 'Âm thanh',
  vibration: 'Rung',
} as const
