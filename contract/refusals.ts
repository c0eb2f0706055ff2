import * as sentences from './sentences.ts'

type Refusal = { readonly status: number; readonly message: string }

// This function is marked as free of side effects, so that the bundler leaves the sentences given to it out of the web.
/* @__NO_SIDE_EFFECTS__ */
const refusal = (status: number, message: string): Refusal => ({ status, message })

/**
 * The status and the sentence of each refusal (rules §6.2). `refuse` of the server takes no other code, so the type check
 * fails if a rule's refusal is missing here. refusal-time.ts adds the length of a known wait to a sentence that ends with
 * "sau", and the end of a known wait to any sentence.
 */
export const refusals = {
  BAD_REQUEST: refusal(400, 'Dữ liệu gửi lên không hợp lệ'),
  BAD_JSON: refusal(400, 'Nội dung gửi lên không đọc được'),
  TEXT_INVALID: refusal(422, sentences.TEXT_INVALID),
  UNAUTHORIZED: refusal(401, 'Lần đăng nhập này không còn hiệu lực. Vui lòng đăng nhập lại'),
  FORBIDDEN: refusal(403, 'Bạn không có quyền thực hiện thao tác này'),
  NOT_FOUND: refusal(404, 'Không tìm thấy dữ liệu'),
  ROUTE_NOT_FOUND: refusal(404, 'Đường dẫn không tồn tại'),
  TOO_LARGE: refusal(413, 'Nội dung gửi lên quá lớn'),
  UNSUPPORTED_TYPE: refusal(415, 'Định dạng nội dung không được hỗ trợ'),
  TOO_MANY_REQUESTS: refusal(429, 'Bạn thao tác quá nhanh. Vui lòng thử lại sau'),
  KEY_REUSED: refusal(409, 'Mã yêu cầu đã được dùng cho một nội dung khác'),
  TOTALS_NOT_READY: refusal(
    503,
    'Thứ tự này đang được tính lần đầu. Vui lòng thử lại sau một phút, hoặc sắp xếp theo cột khác',
  ),
  CLOCK_UNSURE: refusal(503, 'Đồng hồ máy chủ đang được đồng bộ, vui lòng thử lại sau giây lát'),
  LEDGER_CHECK_FAILED: refusal(503, 'Sổ điểm đang được kiểm tra, các giao dịch tạm dừng'),
  DATABASE_AWAY: refusal(503, 'Cơ sở dữ liệu tạm thời không phản hồi, vui lòng thử lại sau giây lát'),
  SOCKET_FLOOD: refusal(429, 'Kết nối bị ngắt vì gửi quá nhiều dữ liệu. Hệ thống sẽ tự kết nối lại sau ít giây'),
  INTERNAL: refusal(500, sentences.INTERNAL),

  LOGIN_BLOCKED: refusal(429, 'Sai quá nhiều lần. Vui lòng thử lại sau'),
  LOGIN_FAILED: refusal(401, 'Sai tài khoản hoặc mật khẩu'),
  USERNAME_INVALID: refusal(422, sentences.USERNAME_INVALID),
  USERNAME_TAKEN: refusal(409, 'Tài khoản đã tồn tại'),
  PASSWORD_INVALID: refusal(422, sentences.PASSWORD_INVALID),
  PASSWORD_MISMATCH: refusal(422, sentences.PASSWORD_MISMATCH),
  PASSWORD_WRONG: refusal(422, 'Mật khẩu hiện tại không đúng'),
  PASSWORD_SAME: refusal(422, 'Mật khẩu mới phải khác mật khẩu hiện tại'),
  REFERRAL_WRONG: refusal(422, sentences.REFERRAL_WRONG),
  ACCOUNT_PAUSED: refusal(403, sentences.ACCOUNT_PAUSED),
  CAPABILITY_MISSING: refusal(403, 'Tài khoản quản trị của bạn chưa được cấp quyền cho thao tác này'),
  MUST_ADD_FACTOR: refusal(403, 'Vui lòng thêm xác thực hai lớp trước khi tiếp tục'),
  MUST_CHANGE_PASSWORD: refusal(403, 'Vui lòng đổi mật khẩu trước khi tiếp tục'),
  FACTOR_REQUIRED: refusal(403, 'Vui lòng xác thực lại bằng lớp bảo mật thứ hai'),
  FACTOR_WRONG: refusal(422, 'Mã hoặc khoá truy cập không đúng, hoặc đã được dùng'),
  FACTOR_STEP_OVER: refusal(409, 'Bước xác thực này đã hết hạn. Vui lòng làm lại từ đầu'),
  FACTOR_UNDO_ELSEWHERE: refusal(
    409,
    'Thiết bị này không gỡ được lớp xác thực đó. Nhờ một quản trị viên có quyền Chủ quản đặt lại giúp bạn',
  ),
  LAST_FACTOR: refusal(409, 'Đây là lớp xác thực cuối cùng, và máy chủ bắt buộc phải có'),
  TOO_MANY_FACTORS: refusal(409, 'Mỗi tài khoản có tối đa 10 lớp xác thực'),
  PASSKEYS_OFF: refusal(409, 'Chưa dùng được khoá truy cập: hệ thống chưa bật cho địa chỉ này'),
  PASSKEY_WRONG: refusal(401, 'Khoá truy cập này không mở được tài khoản nào. Bạn hãy dùng mật khẩu'),
  NOT_YOURSELF: refusal(403, 'Bạn không thể tự thực hiện thao tác này cho chính mình'),
  LAST_OWNER: refusal(409, 'Phải còn ít nhất một quản trị viên có quyền Chủ quản'),
  NOT_AN_ADMIN: refusal(409, 'Tài khoản này không phải quản trị viên'),
  USER_DELETED: refusal(409, 'Tài khoản này đã bị xoá'),
  USER_HAS_OPEN_ITEMS: refusal(409, 'Tài khoản còn phiên đang chạy hoặc yêu cầu đang chờ duyệt'),
  STALE: refusal(409, 'Dữ liệu đã thay đổi kể từ khi bạn mở. Vui lòng tải lại rồi thử lại'),

  STAFF_CANNOT_PLAY: refusal(403, sentences.STAFF_CANNOT_PLAY),
  ROUND_NOT_FOUND: refusal(404, sentences.ROUND_NOT_FOUND),
  ROUND_CLOSING: refusal(422, sentences.ROUND_CLOSING),
  FEED_CLOSED: refusal(422, sentences.FEED_CLOSED),
  STAKE_INVALID: refusal(422, sentences.STAKE_INVALID),
  AMOUNT_LIMIT: refusal(422, sentences.AMOUNT_LIMIT),
  BET_OPEN: refusal(409, sentences.BET_OPEN),
  INSUFFICIENT_BALANCE: refusal(422, sentences.INSUFFICIENT_BALANCE),
  DISCLOSURE_CHANGED: refusal(409, 'Cách quyết định kết quả phiên này vừa thay đổi. Vui lòng xem lại rồi đặt lệnh'),
  TIMED_OUT: refusal(422, 'Bạn đang trong thời gian tạm nghỉ'),
  STAKE_LIMIT: refusal(422, 'Lệnh này vượt giới hạn đặt trong ngày của bạn. Ngày mới tính từ 00:00'),
  LOSS_LIMIT: refusal(422, 'Lệnh này có thể vượt giới hạn thua trong ngày của bạn. Ngày mới tính từ 00:00'),
  REFILL_NOT_YET: refusal(422, 'Chỉ nhận thêm điểm được khi tổng điểm dưới 10'),
  REFILL_TAKEN: refusal(422, 'Hôm nay bạn đã nhận rồi. Nhận tiếp được từ 00:00.'),
  LOSS_LIMIT_REACHED: refusal(422, 'Bạn đã thua đến giới hạn mà bạn tự đặt cho hôm nay. Ngày mới tính từ 00:00'),
  ROUND_ENDED: refusal(409, 'Phiên đã kết thúc'),
  TOO_LATE: refusal(422, 'Phiên còn dưới 10 giây, không thể thay đổi'),
  RESULT_ALREADY_SET: refusal(409, 'Kết quả phiên này đã được đặt'),
  TOO_LATE_TO_CREATE: refusal(422, 'Phiên còn dưới 10 giây, vui lòng chờ phiên mới'),

  NOTE_INVALID: refusal(422, 'Vui lòng nhập ghi chú, nhiều nhất 2,000 ký tự'),
  VIEW_NAME_INVALID: refusal(422, 'Vui lòng đặt tên cho góc nhìn, nhiều nhất 40 ký tự'),
  VIEW_NAME_TAKEN: refusal(409, 'Bạn đã có một góc nhìn khác cùng tên trong danh sách này'),
  TOO_MANY_VIEWS: refusal(409, 'Mỗi quản trị viên giữ tối đa 50 góc nhìn. Vui lòng xoá bớt trước khi lưu thêm'),
  BET_STILL_OPEN: refusal(409, 'Lệnh đang chạy, chỉ xoá được sau khi phiên kết thúc'),
  BANK_LIMIT: refusal(409, 'Mỗi tài khoản liên kết tối đa 3 ngân hàng'),
  BANK_INVALID: refusal(422, 'Thông tin ngân hàng không hợp lệ'),
  BANK_EDIT_FORBIDDEN: refusal(403, sentences.BANK_EDIT_FORBIDDEN),
  BANK_NOT_FOUND: refusal(404, 'Không tìm thấy ngân hàng đã liên kết'),
  NO_BANK: refusal(422, 'Vui lòng liên kết ngân hàng trước'),
  AMOUNT_REQUIRED: refusal(422, sentences.AMOUNT_REQUIRED),
  INSUFFICIENT_FUNDS: refusal(422, sentences.INSUFFICIENT_FUNDS),
  TOO_MANY_REQUESTS_PENDING: refusal(
    422,
    'Bạn đang có 20 yêu cầu chờ duyệt. Vui lòng chờ duyệt hoặc huỷ bớt trước khi gửi thêm',
  ),
  TOO_MANY_FILINGS: refusal(429, 'Bạn đã gửi 60 yêu cầu trong một giờ. Vui lòng thử lại sau'),
  ALREADY_DECIDED: refusal(409, 'Yêu cầu này đã được xử lý'),
  REASON_REQUIRED: refusal(422, sentences.REASON_REQUIRED),
  PROPOSAL_OPEN: refusal(409, 'Đang có một đề nghị chờ người thứ hai xác nhận'),
  PROPOSAL_ENDED: refusal(409, 'Đề nghị này không còn chờ xác nhận'),
  SECOND_PERSON_REQUIRED: refusal(403, 'Người đề nghị không thể tự xác nhận: cần một quản trị viên khác'),
  CONFIRMER_TOO_NEW: refusal(
    403,
    'Người xác nhận phải có quyền Điểm liên tục ít nhất 24 giờ trước khi đề nghị được gửi, và trong 24 giờ đó không cấp quyền này cho người đề nghị, không đặt lại mật khẩu hay xác thực hai lớp của người đó',
  ),
  PROPOSER_GONE: refusal(
    409,
    'Người đề nghị không còn quyền chuyển điểm, hoặc đã được đặt lại mật khẩu sau khi đề nghị. Vui lòng từ chối đề nghị này',
  ),
  LIMIT_RANGE: refusal(422, 'Giới hạn không hợp lệ'),
  REMINDER_RANGE: refusal(422, 'Nhắc nghỉ từ 5 phút đến 24 giờ'),
  TIMEOUT_RANGE: refusal(422, 'Thời gian tạm nghỉ từ 1 giờ đến 6 tuần'),
  TIMEOUT_CANNOT_SHRINK: refusal(422, 'Không thể rút ngắn thời gian tạm nghỉ'),

  CHAT_NOT_ALLOWED: refusal(403, 'Bạn chỉ có thể trò chuyện với quản trị viên'),
  CONVERSATION_NOT_FOUND: refusal(404, 'Không tìm thấy cuộc trò chuyện'),
  HOLDER_GONE: refusal(409, 'Quản trị viên này không còn hỗ trợ. Vui lòng chọn quản trị viên khác'),
  HOLDER_CHANGED: refusal(409, 'Cuộc trò chuyện đã được người khác tiếp nhận'),
  MERGE_OTHER_PLAYER: refusal(422, 'Hai cuộc trò chuyện không phải của cùng một khách'),
  MERGE_HELD: refusal(409, 'Đồng nghiệp chưa xong cuộc trò chuyện kia. Nhờ họ đánh dấu xong hoặc trả về CSKH trước'),
  TAG_INVALID: refusal(422, 'Nhãn có từ 1 đến 30 ký tự'),
  TOO_MANY_TAGS: refusal(409, 'Cuộc trò chuyện đã có 10 nhãn'),
  TOO_MANY_REPLIES: refusal(409, 'Bạn đã có 100 câu trả lời mẫu'),
  NOT_ASKED: refusal(409, 'Câu hỏi này đã khép lại'),
  NEW_MESSAGE: refusal(409, 'Khách vừa nhắn thêm'),
  SNOOZE_INVALID: refusal(422, 'Chọn một thời điểm trong 90 ngày tới'),
  HOURS_INVALID: refusal(422, 'Giờ đóng phải sau giờ mở'),
  AWAY_TEXT_INVALID: refusal(422, 'Lời nhắn cho khách có từ 1 đến 300 ký tự'),
  HOLDER_HAS_ONE: refusal(409, 'Người nhận đã có cuộc trò chuyện với khách hàng này'),
  CHAT_NOTE_INVALID: refusal(422, 'Ghi chú phải có từ 1 đến 4,000 ký tự'),
  MESSAGE_INVALID: refusal(422, 'Tin nhắn phải có từ 1 đến 4,000 ký tự'),
  MESSAGE_NOT_FOUND: refusal(404, 'Không tìm thấy tin nhắn'),
  MESSAGE_FIXED: refusal(409, 'Tin nhắn này không sửa hay thu hồi được nữa'),
  MESSAGE_TOO_OLD: refusal(409, 'Chỉ sửa hay thu hồi được trong 2 phút sau khi gửi'),
  IMAGE_NOT_YOURS: refusal(422, 'Ảnh hoặc tệp này không phải do bạn tải lên'),
  SENDING_TOO_FAST: refusal(429, 'Bạn gửi tin nhắn quá nhanh. Vui lòng thử lại sau'),
  FILE_MISSING: refusal(400, 'Vui lòng chọn một file hình ảnh hoặc PDF'),
  IMAGE_TOO_LARGE: refusal(413, sentences.IMAGE_TOO_LARGE),
  IMAGE_TYPE: refusal(415, sentences.IMAGE_TYPE),
  IMAGE_BROKEN: refusal(422, 'Không thể đọc hình ảnh này. Vui lòng chọn file khác.'),
  IMAGES_WAITING: refusal(429, 'Đang có nhiều file chờ xử lý. Vui lòng thử lại sau vài giây.'),
  UPLOADS_OF_DAY: refusal(429, 'Bạn đã gửi quá nhiều file trong 24 giờ. Vui lòng thử lại sau'),
  IMAGE_DIMENSIONS: refusal(422, 'Hình ảnh quá lớn. Tối đa 8,192 điểm ảnh mỗi cạnh.'),
  PDF_TYPE: refusal(415, 'File này không phải là PDF. Vui lòng chọn file PDF hoặc hình ảnh.'),
  PDF_BROKEN: refusal(422, 'File PDF bị hỏng hoặc thiếu phần cuối. Vui lòng lưu lại file rồi chọn lại.'),

  NOT_IN_BOOK: refusal(404, 'Phiên này không có trong sổ mở: sổ bắt đầu sau phiên này'),
  NOT_SEALED_YET: refusal(404, 'Chưa ghi xong vào sổ mở, vui lòng xem lại sau vài giây'),
  BET_NOT_SETTLED: refusal(409, 'Lệnh chưa có kết quả, chỉ khiếu nại được sau khi phiên kết thúc'),
  DISPUTE_TOO_LATE: refusal(422, 'Lệnh có kết quả đã quá 30 ngày nên không khiếu nại được nữa'),
  DISPUTE_EXISTS: refusal(409, 'Lệnh này đã được khiếu nại'),
  TOO_MANY_DISPUTES: refusal(429, 'Bạn đã gửi 10 khiếu nại trong 24 giờ. Vui lòng gửi tiếp sau'),

  QUIET_HOURS_EMPTY: refusal(422, 'Giờ bắt đầu và giờ kết thúc phải khác nhau'),
  PUSH_ENDPOINT_INVALID: refusal(422, 'Trình duyệt đưa ra một địa chỉ nhận thông báo không dùng được'),
} as const satisfies Readonly<Record<string, Refusal>>

export type RefusalCode = keyof typeof refusals

export const SHARED_REFUSALS = [
  'BAD_REQUEST',
  'BAD_JSON',
  'TEXT_INVALID',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'ACCOUNT_PAUSED',
  'MUST_CHANGE_PASSWORD',
  'MUST_ADD_FACTOR',
  'FACTOR_REQUIRED',
  'CAPABILITY_MISSING',
  'ROUTE_NOT_FOUND',
  'TOO_LARGE',
  'UNSUPPORTED_TYPE',
  'TOO_MANY_REQUESTS',
  'DATABASE_AWAY',
  'INTERNAL',
] as const satisfies readonly RefusalCode[]
export type SharedRefusal = (typeof SHARED_REFUSALS)[number]

/**
 * Returns the refusal that a code on the wire names; UNKNOWN for any other code.
 * @param named the call's own refusals, beside the shared ones
 */
export const readRefusal = <Code extends RefusalCode>(
  code: unknown,
  named: readonly Code[],
): Code | SharedRefusal | 'UNKNOWN' => [...SHARED_REFUSALS, ...named].find((known) => known === code) ?? 'UNKNOWN'
