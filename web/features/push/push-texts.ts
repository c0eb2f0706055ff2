/** Texts of the push settings and of the offer to switch pushes on (rules §6.9). The server writes push messages. */
export const pushTexts = {
  title: 'Thông báo',
  device: 'Thông báo trên thiết bị này',
  deviceHint: 'Báo ba việc dưới đây cả khi bạn không mở Kim Phiên. Không bao giờ kèm số điểm.',
  kinds: {
    'request-decided': 'Yêu cầu được xử lý',
    'care-replied': 'Chăm sóc khách hàng trả lời',
    'points-adjusted': 'Điểm được điều chỉnh',
  },
  quiet: 'Giờ yên lặng',
  quietHint: 'Thông báo trong giờ này chờ đến khi hết giờ.',
  from: 'Từ',
  to: 'Đến',
  everyDevice: 'Loại thông báo và giờ yên lặng áp dụng cho mọi thiết bị của bạn.',
  unsupported:
    'Trình duyệt này không nhận được thông báo. Trên iPhone và iPad, hãy thêm Kim Phiên vào màn hình chính rồi mở từ đó.',
  blocked:
    'Trình duyệt đang chặn thông báo của trang này. Hãy mở cài đặt trang ở cạnh ô địa chỉ, cho phép thông báo, rồi tải lại trang.',
  notGranted: 'Bạn chưa cho phép thông báo. Bật lại khi nào bạn muốn.',
  failed: (isOn: boolean) =>
    `Chưa ${isOn ? 'bật' : 'tắt'} được thông báo trên thiết bị này. Vui lòng thử lại sau` as const,
  saveFailed: 'Chưa lưu được. Vui lòng thử lại',
  turnedOn: 'Đã bật thông báo trên thiết bị này',
  offers: {
    'request-decided': 'Báo khi yêu cầu được xử lý',
    'care-replied': 'Báo khi CSKH trả lời',
  },
  offerHint: 'Trên thiết bị này, tắt được trong Cài đặt',
  offerYes: 'Bật',
  offerNever: 'Không hỏi lại',
} as const
