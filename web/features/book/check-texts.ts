import type { CheckStep } from '#domain/book/check-book.ts'
import type { BookDirection } from '#domain/book/entry.ts'

/** Texts of "Tự kiểm chứng": what can be checked, the progress of a check, and its result (docs/open-book.md §5). */
export const checkTexts = {
  lead: 'Thiết bị của bạn tự tải sổ công khai về và tính lại mọi kết quả. Không cần tài khoản, và máy chủ không biết bạn tìm thấy gì.',
  what: 'Kiểm chứng điều gì',
  kinds: { round: 'Một phiên', rounds: 'Phiên gần đây', proof: 'Tệp bằng chứng' },
  round: 'Mã phiên hoặc đường dẫn biên nhận',
  roundHint: 'Dán đường dẫn dạng /vong/… hoặc mã phiên.',
  roundWrong: 'Không thấy mã phiên nào trong đây.',
  count: 'Số phiên gần nhất',
  proof: 'Tệp bằng chứng của một lệnh',
  proofHint: 'Mở Lịch sử đặt lệnh, bấm Xem lại lệnh rồi Tải bằng chứng. Thả tệp vào đây hoặc bấm để chọn.',
  proofMissing: 'Hãy chọn một tệp bằng chứng.',
  proofTooLarge: 'Tệp vừa chọn quá lớn, không phải tệp bằng chứng.',
  proofWrong: 'Tệp vừa chọn không phải tệp bằng chứng.',
  start: 'Bắt đầu kiểm chứng',
  again: 'Kiểm chứng lại',
  stop: 'Dừng',

  result: 'Kết quả kiểm chứng',
  running: 'Đang kiểm chứng…',
  right: 'Khớp hết. Không thấy gì bị sửa.',
  pending:
    'Khớp tới lúc này, không thấy gì bị sửa. Phần chưa công bố, như giá mô phỏng trong ngày, kiểm được sau 07:10 sáng tới (giờ Việt Nam).',
  /** For a round whose last entry is not logged yet. A deleted round gets that entry only at its planned end. */
  unclosed: 'Khớp tới lúc này, không thấy gì bị sửa. Phiên chưa ghi xong vào sổ, hãy kiểm chứng lại sau.',
  stepByStep: 'Đã kiểm những gì?',
  wrong: (count: string) => `Không khớp: ${count} chỗ.` as const,
  stopped: 'Đã dừng trước khi xong.',
  absent:
    'Sổ mở không có phiên này: mã phiên sai, hoặc phiên cũ hơn sổ. Nếu bạn từng xem biên nhận của nó thì đó là điều sai, hãy báo CSKH.',
  failed: 'Chưa kiểm chứng được: không đọc được sổ từ máy chủ. Hãy xem lại kết nối mạng rồi kiểm chứng lại.',
  crashed: 'Chưa kiểm chứng được: trang này gặp lỗi.',
  steps: {
    note: 'Bản chốt sổ',
    entries: 'Từng dòng của sổ',
    rounds: 'Phiên và kết quả',
    bets: 'Từng lệnh',
    prices: 'Giá mô phỏng',
  } satisfies Record<CheckStep, string>,
  stepsMean: {
    note: 'Đúng chìa khoá ký, và nối tiếp bản đã thấy.',
    entries: 'Mỗi dòng đúng là dòng đã ký, đúng mẫu, đúng thứ tự.',
    rounds: 'Đúng lịch, đúng người quyết định, kết quả đúng với giá.',
    bets: 'Đúng lệnh đã niêm phong, tính lại ra cùng số điểm.',
    prices: 'Nằm trên đường giá có mã kiểm công bố trước.',
  } satisfies Record<CheckStep, string>,
  proofStep: 'Bằng chứng và bản chốt sổ',
  proofStepMeans: 'Lệnh đứng trong bản sổ đã ký bằng đúng chìa khoá.',
  states: { running: 'đang kiểm', right: 'khớp', wrong: 'không khớp', stopped: 'đã dừng' },
  waitsForSeed: 'chờ công bố hạt giống của ngày',
  waitsForClose: 'chờ phiên đóng sổ',
  of: (done: string, total: string) => `${done}/${total}` as const,
  summary: (rounds: string, bets: string, lines: string) =>
    `Đã tính lại ${rounds} phiên, ${bets} lệnh, từ ${lines} dòng của sổ.` as const,
  waiting: (rounds: string) =>
    `${rounds} phiên dùng giá mô phỏng của một ngày chưa hết; hãy kiểm chứng lại sau 07:10 sáng tới.` as const,
  notUnderstood: (lines: string) => `${lines} dòng thuộc một bản mới hơn mà trang này chưa hiểu.` as const,
  proofOf: (index: string) => `Lệnh #${index} của sổ` as const,
  proofSays: (side: string, stake: string, at: string) => `${side}, ${stake} điểm, nhận lúc ${at}` as const,
  sides: { UP: 'Mua ▲', DOWN: 'Bán ▼' } satisfies Record<BookDirection, string>,
  faults: 'Xem những chỗ không khớp',
  moreFaults: (count: string) => `Còn ${count} chỗ nữa, có trong tệp kết quả.` as const,
  moreThanInFile: (count: string, inFile: string) =>
    `Còn ${count} chỗ nữa. Tệp kết quả chỉ có ${inFile} chỗ đầu tiên.` as const,
  expected: (value: string) => `Phải là: ${value}` as const,
  found: (value: string) => `Đang là: ${value}` as const,
  nothing: 'không có',
  place: (index: string) => `dòng #${index}` as const,
  inRound: (id: string) => `phiên ${id}` as const,
  download: 'Tải kết quả',
  technical: 'Phần kỹ thuật',
  key: 'Chìa khoá kiểm chữ ký',
  note: 'Bản chốt đã dùng',
  trust: 'Trang này do chúng tôi gửi tới bạn. Muốn chắc chắn hơn, hãy chạy công cụ verify từ bản sao mã nguồn.',
  toBook: 'Xem Sổ mở',
} as const
