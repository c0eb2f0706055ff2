/**
 * Texts about the matters that staff have to look at (rules §6.12): on the overview's card, in the bell, in the desktop
 * notifications and in the settings of alerts.
 */
export const attentionTexts = {
  title: 'Cần chú ý',
  empty: 'Không có gì cần chú ý.',
  loadFailed: 'Không tải được danh sách cần chú ý',
  since: 'Từ',
  longest: 'Lâu nhất từ',
  kinds: {
    ledger: 'Sổ điểm',
    feed: 'Nguồn giá',
    book: 'Sổ mở',
    request: 'Yêu cầu đang chờ duyệt',
    conversation: 'Khách đang chờ trả lời quá 5 phút',
    mention: 'Ghi chú nhắc đến bạn',
    proposal: 'Đề nghị chờ người thứ hai',
    dispute: 'Khiếu nại mở quá 3 ngày',
    luck: 'Kết quả lệnh khó có do may rủi',
  },
  whys: {
    CLOSED: 'Lần kiểm tra gần nhất thấy lệch: giao dịch điểm đang tạm dừng.',
    UNCHECKED: 'Chưa có lần kiểm tra nào khớp trong 5 phút qua.',
    STALE: 'Giá bị gián đoạn: phiên giá thật không nhận lệnh.',
    AHEAD: 'Đồng hồ của nguồn giá chạy trước: phiên giá thật không nhận lệnh.',
    JUMP: 'Giá nhảy bất thường: phiên giá thật không nhận lệnh.',
    UNPRICED: 'Giá về trễ hoặc thiếu: phiên giá thật không nhận lệnh.',
    SILENT: 'Không ghi được giá mới.',
    CLOCK: 'Máy chủ chưa chắc về giờ: tạm không nhận lệnh.',
    OTHER_KEY: 'Không ký được: khoá của máy chủ khác khoá của sổ.',
    OTHER_LOG: 'Không ký được: sổ trên đĩa thuộc cơ sở dữ liệu khác.',
    AHEAD_BOOK: 'Không ký được: đã ký nhiều dòng hơn số đang lưu.',
    DIFFERS: 'Không ký được: điều đã ký không khớp với sổ đang lưu.',
    DAMAGED: 'Không ký được: sổ đang lưu bị hỏng.',
    WITNESS: 'Không ký được: nhân chứng biết một sổ khác.',
    SILENT_BOOK: 'Không ký thêm dòng nào trong nửa phút qua.',
  },
  open: {
    ledger: 'Xem nhật ký',
    feed: 'Xem phiên',
    book: 'Xem sổ mở',
    request: 'Mở hàng chờ',
    conversation: 'Mở tin nhắn',
    mention: 'Xem ghi chú',
    proposal: 'Xem đề nghị',
    dispute: 'Xem khiếu nại',
  },
  luckMeaning: (players: string) =>
    `So với ${players} người chơi, tính đến hết ngày hôm qua. Dấu hiệu này chỉ để xem lại: nó không tự thay đổi điều gì.` as const,
  luckOf: (won: string, decided: string) => `thắng ${won} / ${decided} lệnh theo giá` as const,
  luckMore: (count: string) => `và ${count} người khác` as const,
  luckAge: 'Xem lúc',

  bell: (count: number, unread: number) =>
    `Thông báo${count === 0 ? '' : `, ${String(count)} việc cần chú ý`}${unread === 0 ? '' : `, ${unread > 99 ? 'hơn 99' : String(unread)} chưa đọc`}`,
  bellNothing: 'Không có việc mới',
  ownNotices: 'Thông báo của tôi',
  ownUnread: (count: string) => `${count} chưa đọc` as const,
  choose: 'Chọn thông báo',

  settings: 'Thông báo việc cần xử lý',
  settingsHint:
    'Các loại dưới đây áp dụng cho chuông và thông báo trên mọi thiết bị của bạn. Chỉ báo việc bạn có quyền xử lý.',
  alerts: {
    request: 'Yêu cầu mới',
    conversation: 'Khách chờ trả lời quá lâu',
    mention: 'Ghi chú nhắc đến bạn',
    proposal: 'Đề nghị chờ người thứ hai',
    alarm: 'Cảnh báo sổ điểm, nguồn giá, sổ mở',
  },
  desktop: 'Thông báo trên màn hình máy này',
  desktopHint: 'Khi trang quản trị đang mở trong một tab. Chỉ có tên đăng nhập và số điểm.',
  unsupported: 'Trình duyệt này không hiện được thông báo khi trang đang mở. Chuông trên trang vẫn báo đủ.',
  blocked:
    'Trình duyệt đang chặn thông báo của trang này. Hãy mở cài đặt trang ở cạnh ô địa chỉ, cho phép thông báo, rồi tải lại trang.',
  notGranted: 'Bạn chưa cho phép thông báo. Bật lại khi nào bạn muốn.',
  saveFailed: 'Chưa lưu được. Vui lòng thử lại',
  turnedOn: 'Đã bật thông báo trên máy này',

  newRequest: { deposit: 'Yêu cầu nạp mới', withdrawal: 'Yêu cầu rút mới' },
  newProposal: 'Đề nghị mới chờ người thứ hai',
  mentioned: 'Bạn được nhắc trong một ghi chú',
  waitsLong: 'Khách chờ trả lời quá 5 phút',
  several: (count: string) => `${count} việc mới cần chú ý` as const,
} as const
