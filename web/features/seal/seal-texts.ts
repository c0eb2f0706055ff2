import type { SealFault } from './judge-seal.ts'

export const sealTexts = {
  sealing: 'Đang khoá lệnh…',
  slow: 'Khoá lệnh chậm, đang thử lại',
  checking: 'Đang kiểm lại…',
  locked: 'Đã khoá ✓',
  sealed: (index: string) => `Đã khoá #${index}` as const,
  sealedLate: (index: string) => `Khoá muộn #${index}` as const,
  lateMeans:
    'Lệnh được ghi vào sổ mở hơn 5 giây sau khi nhận, hoặc sau khi phiên kết thúc. Nội dung vẫn khớp với lệnh bạn đặt. Sổ mở đếm riêng những lệnh như vậy.',
  /** @param sealed the text `sealed` or `sealedLate`, with the number of the bet's entry */
  toReceipt: (sealed: string, round: string) => `${sealed} trong sổ mở. Xem biên nhận phiên ${round}` as const,
  failed: 'Lệnh không khớp với sổ mở',
  failedTitle: 'Sổ mở không khớp với lệnh của bạn',
  failedLead:
    'Trình duyệt của bạn tự kiểm tra xem lệnh có được ghi vào sổ mở đúng như bạn thấy hay không. Lần này không đúng.',
  kept: 'Bằng chứng được giữ trên thiết bị này đến khi bạn đăng xuất. Hãy tải về nếu bạn muốn giữ lâu hơn.',
  compared: 'Xem hai giá trị không khớp',
  expected: 'Phải là',
  found: 'Nhận được',
  download: 'Tải bằng chứng',
  downloadFailed: 'Chưa tải được bằng chứng, hãy thử lại',
  sendToCare: 'Gửi CSKH',
  careCase: (bet: string, round: string, words: string, fault: string) =>
    `Sổ mở không khớp với lệnh ${bet} (phiên ${round}): ${words} (${fault})` as const,
  receipt: (round: string) => `Biên nhận phiên ${round}` as const,
} as const

const promise = 'Giấy hẹn ghi sổ không mang chữ ký đúng của sổ mở, hoặc nói về một lệnh khác.'
const shown = 'Sổ mở đưa ra dữ liệu không khớp với chữ ký của chính nó.'

/** The sentences for some faults. All other faults share the sentence `shown`. */
const sentences: { readonly [Fault in SealFault]?: string } = {
  'bet-answer': 'Máy chủ nhận một lệnh khác với lệnh bạn đã gửi.',
  salt: 'Mã ngẫu nhiên đi kèm lệnh có độ dài sai.',
  'promise-signature': promise,
  'promise-text': promise,
  'promise-path': promise,
  'promise-time': 'Giấy hẹn ghi sổ mang giờ khác với giờ nhận lệnh.',
  'promise-unkept': 'Máy chủ đã hẹn ghi lệnh vào sổ, sổ vẫn chạy tiếp, nhưng quá 60 giây vẫn không có lệnh này.',
  'proof-bet': 'Sổ mở ghi một lệnh khác với lệnh bạn đã đặt.',
  'proof-form': 'Bằng chứng của lệnh không đọc được.',
  'proof-path': 'Lệnh này không nằm trong sổ mở đúng như bằng chứng nói.',
  'note-form': 'Trang ký của sổ mở không đọc được.',
  'note-signature': 'Chữ ký của sổ mở không đúng.',
  'note-forked': 'Sổ mở đã đổi những trang cũ mà trình duyệt này từng thấy.',
  'note-stale': 'Trong 60 giây, sổ mở chỉ đưa ra trang cũ hơn trang mà trình duyệt này từng thấy.',
  'log-key': 'Khoá của sổ mở đã bị thay mà sổ không nói rõ lý do.',
}

export const faultSentence = (fault: SealFault): string => sentences[fault] ?? shown
