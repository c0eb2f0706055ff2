import type { DecisionRefusal, FilingRefusal } from '#domain/cashier/request.ts'
import type { ChatRefusal } from '#domain/chat/conversation.ts'
import type { AnswerRefusal, OpeningRefusal } from '#domain/disputes/dispute.ts'
import type { NoteRefusal } from '#domain/customer/note.ts'
import type { ProposalRefusal } from '#domain/four-eyes/proposal.ts'
import type { BetRefusal } from '#domain/game/bet.ts'
import type { LimitsRefusal } from '#domain/game/limits.ts'
import type { RefillRefusal } from '#domain/game/refill.ts'
import type { StaffRoundRefusal } from '#domain/game/round.ts'
import type { AccessRefusal } from '#domain/identity/permissions.ts'
import type { PushRefusal } from '#domain/push/push.ts'
import type { ViewRefusal } from '#domain/saved-views/view-name.ts'
import * as sentences from './sentences.ts'

/** Refusals that a rule of the domain returns. */
type RuleRefusal =
  | AccessRefusal
  | BetRefusal
  | RefillRefusal
  | StaffRoundRefusal
  | FilingRefusal
  | DecisionRefusal
  | ProposalRefusal
  | LimitsRefusal
  | ChatRefusal
  | PushRefusal
  | OpeningRefusal
  | AnswerRefusal
  | NoteRefusal
  | ViewRefusal

type Refusal = { readonly status: number; readonly message: string }

/**
 * Every refusal's status and its sentence for people (spec §5, §8; rules §6). The code does not compile while a rule's
 * refusal is missing here. A sentence that ends with "sau" is completed with how long, or until when (refusal-time.ts).
 */
export const refusals = {
  BAD_REQUEST: { status: 400, message: 'Dữ liệu gửi lên không hợp lệ' },
  BAD_JSON: { status: 400, message: 'Nội dung gửi lên không đọc được' },
  TEXT_INVALID: { status: 422, message: sentences.TEXT_INVALID },
  UNAUTHORIZED: { status: 401, message: 'Lần đăng nhập này không còn hiệu lực. Vui lòng đăng nhập lại' },
  FORBIDDEN: { status: 403, message: 'Bạn không có quyền thực hiện thao tác này' },
  NOT_FOUND: { status: 404, message: 'Không tìm thấy dữ liệu' },
  ROUTE_NOT_FOUND: { status: 404, message: 'Đường dẫn không tồn tại' },
  TOO_LARGE: { status: 413, message: 'Nội dung gửi lên quá lớn' },
  UNSUPPORTED_TYPE: { status: 415, message: 'Định dạng nội dung không được hỗ trợ' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Bạn thao tác quá nhanh. Vui lòng thử lại sau' },
  KEY_REUSED: { status: 409, message: 'Mã yêu cầu đã được dùng cho một nội dung khác' },
  TOTALS_NOT_READY: {
    status: 503,
    message: 'Thứ tự này đang được tính lần đầu. Vui lòng thử lại sau một phút, hoặc sắp xếp theo cột khác',
  },
  CLOCK_UNSURE: { status: 503, message: 'Đồng hồ máy chủ đang được đồng bộ, vui lòng thử lại sau giây lát' },
  LEDGER_CHECK_FAILED: { status: 503, message: 'Sổ điểm đang được kiểm tra, các giao dịch tạm dừng' },
  DATABASE_AWAY: { status: 503, message: 'Cơ sở dữ liệu tạm thời không phản hồi, vui lòng thử lại sau giây lát' },
  SOCKET_FLOOD: {
    status: 429,
    message: 'Kết nối bị ngắt vì gửi quá nhiều dữ liệu. Hệ thống sẽ tự kết nối lại sau ít giây',
  },
  INTERNAL: { status: 500, message: sentences.INTERNAL },

  LOGIN_BLOCKED: { status: 429, message: 'Sai mật khẩu quá nhiều lần. Vui lòng thử lại sau' },
  LOGIN_FAILED: { status: 401, message: 'Sai tài khoản hoặc mật khẩu' },
  USERNAME_INVALID: { status: 422, message: sentences.USERNAME_INVALID },
  USERNAME_TAKEN: { status: 409, message: 'Tài khoản đã tồn tại' },
  PASSWORD_INVALID: { status: 422, message: sentences.PASSWORD_INVALID },
  PASSWORD_MISMATCH: { status: 422, message: sentences.PASSWORD_MISMATCH },
  PASSWORD_WRONG: { status: 422, message: 'Mật khẩu hiện tại không đúng' },
  REFERRAL_WRONG: { status: 422, message: sentences.REFERRAL_WRONG },
  ACCOUNT_PAUSED: {
    status: 403,
    message: sentences.ACCOUNT_PAUSED,
  },
  CAPABILITY_MISSING: { status: 403, message: 'Tài khoản quản trị của bạn chưa được cấp quyền cho thao tác này' },
  MUST_ADD_FACTOR: { status: 403, message: 'Vui lòng thêm xác thực hai lớp trước khi tiếp tục' },
  MUST_CHANGE_PASSWORD: { status: 403, message: 'Vui lòng đổi mật khẩu trước khi tiếp tục' },
  FACTOR_REQUIRED: { status: 403, message: 'Vui lòng xác thực lại bằng lớp bảo mật thứ hai' },
  FACTOR_WRONG: { status: 422, message: 'Mã không đúng hoặc đã được dùng' },
  FACTOR_STEP_OVER: { status: 409, message: 'Bước xác thực này đã hết hạn. Vui lòng làm lại từ đầu' },
  FACTOR_UNDO_ELSEWHERE: {
    status: 409,
    message: 'Thiết bị này không gỡ được lớp xác thực đó. Nhờ một quản trị viên có quyền Chủ quản đặt lại giúp bạn',
  },
  LAST_FACTOR: { status: 409, message: 'Đây là lớp xác thực cuối cùng, và máy chủ bắt buộc phải có' },
  TOO_MANY_FACTORS: { status: 409, message: 'Mỗi tài khoản có tối đa 10 lớp xác thực' },
  PASSKEYS_OFF: {
    status: 409,
    message: 'Chưa dùng được khoá truy cập: hệ thống chưa bật cho địa chỉ này',
  },
  PASSKEY_WRONG: { status: 401, message: 'Khoá truy cập này không mở được tài khoản nào. Bạn hãy dùng mật khẩu' },
  NOT_YOURSELF: { status: 403, message: 'Bạn không thể tự thực hiện thao tác này cho chính mình' },
  LAST_OWNER: { status: 409, message: 'Phải còn ít nhất một quản trị viên có quyền Chủ quản' },
  NOT_AN_ADMIN: { status: 409, message: 'Tài khoản này không phải quản trị viên' },
  USER_DELETED: { status: 409, message: 'Tài khoản này đã bị xoá' },
  USER_HAS_OPEN_ITEMS: { status: 409, message: 'Tài khoản còn phiên đang chạy hoặc yêu cầu đang chờ duyệt' },
  STALE: { status: 409, message: 'Dữ liệu đã thay đổi kể từ khi bạn mở. Vui lòng tải lại rồi thử lại' },

  STAFF_CANNOT_PLAY: { status: 403, message: sentences.STAFF_CANNOT_PLAY },
  ROUND_NOT_FOUND: { status: 404, message: sentences.ROUND_NOT_FOUND },
  ROUND_CLOSING: { status: 422, message: sentences.ROUND_CLOSING },
  FEED_CLOSED: { status: 422, message: sentences.FEED_CLOSED },
  STAKE_INVALID: { status: 422, message: sentences.STAKE_INVALID },
  AMOUNT_LIMIT: { status: 422, message: sentences.AMOUNT_LIMIT },
  BET_OPEN: { status: 409, message: sentences.BET_OPEN },
  INSUFFICIENT_BALANCE: { status: 422, message: sentences.INSUFFICIENT_BALANCE },
  DISCLOSURE_CHANGED: {
    status: 409,
    message: 'Cách quyết định kết quả phiên này vừa thay đổi. Vui lòng xem lại rồi đặt lệnh',
  },
  TIMED_OUT: { status: 422, message: 'Bạn đang trong thời gian tạm nghỉ' },
  STAKE_LIMIT: { status: 422, message: 'Lệnh này vượt giới hạn đặt trong ngày của bạn. Ngày mới tính từ 00:00' },
  LOSS_LIMIT: { status: 422, message: 'Lệnh này có thể vượt giới hạn thua trong ngày của bạn. Ngày mới tính từ 00:00' },
  REFILL_NOT_YET: { status: 422, message: 'Chỉ nhận thêm điểm được khi tổng điểm dưới 10' },
  REFILL_TAKEN: { status: 422, message: 'Hôm nay bạn đã nhận rồi. Nhận tiếp được từ 00:00.' },
  LOSS_LIMIT_REACHED: {
    status: 422,
    message: 'Bạn đã thua đến giới hạn mà bạn tự đặt cho hôm nay. Ngày mới tính từ 00:00',
  },
  ROUND_ENDED: { status: 409, message: 'Phiên đã kết thúc' },
  TOO_LATE: { status: 422, message: 'Phiên còn dưới 10 giây, không thể thay đổi' },
  RESULT_ALREADY_SET: { status: 409, message: 'Kết quả phiên này đã được đặt' },
  TOO_LATE_TO_CREATE: { status: 422, message: 'Phiên còn dưới 10 giây, vui lòng chờ phiên mới' },

  NOTE_INVALID: { status: 422, message: 'Vui lòng nhập ghi chú, nhiều nhất 2,000 ký tự' },
  VIEW_NAME_INVALID: { status: 422, message: 'Vui lòng đặt tên cho góc nhìn, nhiều nhất 40 ký tự' },
  VIEW_NAME_TAKEN: { status: 409, message: 'Bạn đã có một góc nhìn khác cùng tên trong danh sách này' },
  TOO_MANY_VIEWS: {
    status: 409,
    message: 'Mỗi quản trị viên giữ tối đa 50 góc nhìn. Vui lòng xoá bớt trước khi lưu thêm',
  },
  BET_STILL_OPEN: { status: 409, message: 'Lệnh đang chạy, chỉ xoá được sau khi phiên kết thúc' },
  BANK_LIMIT: { status: 409, message: 'Mỗi tài khoản liên kết tối đa 3 ngân hàng' },
  BANK_INVALID: { status: 422, message: 'Thông tin ngân hàng không hợp lệ' },
  BANK_EDIT_FORBIDDEN: { status: 403, message: sentences.BANK_EDIT_FORBIDDEN },
  BANK_NOT_FOUND: { status: 404, message: 'Không tìm thấy ngân hàng đã liên kết' },
  NO_BANK: { status: 422, message: 'Vui lòng liên kết ngân hàng trước' },
  AMOUNT_REQUIRED: { status: 422, message: sentences.AMOUNT_REQUIRED },
  INSUFFICIENT_FUNDS: { status: 422, message: sentences.INSUFFICIENT_FUNDS },
  TOO_MANY_REQUESTS_PENDING: {
    status: 422,
    message: 'Bạn đang có 20 yêu cầu chờ duyệt. Vui lòng chờ duyệt hoặc huỷ bớt trước khi gửi thêm',
  },
  TOO_MANY_FILINGS: { status: 429, message: 'Bạn đã gửi 60 yêu cầu trong một giờ. Vui lòng thử lại sau' },
  ALREADY_DECIDED: { status: 409, message: 'Yêu cầu này đã được xử lý' },
  REASON_REQUIRED: { status: 422, message: sentences.REASON_REQUIRED },
  PROPOSAL_OPEN: { status: 409, message: 'Đang có một đề nghị chờ người thứ hai xác nhận' },
  PROPOSAL_ENDED: { status: 409, message: 'Đề nghị này không còn chờ xác nhận' },
  SECOND_PERSON_REQUIRED: { status: 403, message: 'Người đề nghị không thể tự xác nhận: cần một quản trị viên khác' },
  CONFIRMER_TOO_NEW: {
    status: 403,
    message:
      'Người xác nhận phải có quyền Điểm liên tục ít nhất 24 giờ trước khi đề nghị được gửi, và không phải người vừa cấp quyền đó cho người đề nghị',
  },
  PROPOSER_GONE: { status: 409, message: 'Người đề nghị không còn quyền chuyển điểm. Vui lòng từ chối đề nghị này' },
  LIMIT_RANGE: { status: 422, message: sentences.LIMIT_RANGE },
  REMINDER_RANGE: { status: 422, message: 'Nhắc nghỉ từ 5 phút đến 24 giờ' },
  TIMEOUT_RANGE: { status: 422, message: 'Thời gian tạm nghỉ từ 1 giờ đến 6 tuần' },
  TIMEOUT_CANNOT_SHRINK: { status: 422, message: 'Không thể rút ngắn thời gian tạm nghỉ' },

  CHAT_NOT_ALLOWED: { status: 403, message: 'Bạn chỉ có thể trò chuyện với quản trị viên' },
  CONVERSATION_NOT_FOUND: { status: 404, message: 'Không tìm thấy cuộc trò chuyện' },
  HOLDER_GONE: { status: 409, message: 'Quản trị viên này không còn hỗ trợ. Vui lòng chọn quản trị viên khác' },
  HOLDER_CHANGED: { status: 409, message: 'Cuộc trò chuyện đã được người khác tiếp nhận' },
  MERGE_OTHER_PLAYER: { status: 422, message: 'Hai cuộc trò chuyện không phải của cùng một khách' },
  MERGE_HELD: {
    status: 409,
    message: 'Đồng nghiệp chưa xong cuộc trò chuyện kia. Nhờ họ đánh dấu xong hoặc trả về CSKH trước',
  },
  TAG_INVALID: { status: 422, message: 'Nhãn có từ 1 đến 30 ký tự' },
  TOO_MANY_TAGS: { status: 409, message: 'Cuộc trò chuyện đã có 10 nhãn' },
  TOO_MANY_REPLIES: { status: 409, message: 'Bạn đã có 100 câu trả lời mẫu' },
  NOT_ASKED: { status: 409, message: 'Câu hỏi này đã khép lại' },
  NEW_MESSAGE: { status: 409, message: 'Khách vừa nhắn thêm' },
  SNOOZE_INVALID: { status: 422, message: 'Chọn một thời điểm trong 90 ngày tới' },
  HOURS_INVALID: { status: 422, message: 'Giờ đóng phải sau giờ mở' },
  AWAY_TEXT_INVALID: { status: 422, message: 'Lời nhắn cho khách có từ 1 đến 300 ký tự' },
  HOLDER_HAS_ONE: { status: 409, message: 'Người nhận đã có cuộc trò chuyện với khách hàng này' },
  CHAT_NOTE_INVALID: { status: 422, message: 'Ghi chú phải có từ 1 đến 4,000 ký tự' },
  MESSAGE_INVALID: { status: 422, message: 'Tin nhắn phải có từ 1 đến 4,000 ký tự' },
  MESSAGE_NOT_FOUND: { status: 404, message: 'Không tìm thấy tin nhắn' },
  MESSAGE_FIXED: { status: 409, message: 'Tin nhắn này không sửa hay thu hồi được nữa' },
  MESSAGE_TOO_OLD: { status: 409, message: 'Chỉ sửa hay thu hồi được trong 2 phút sau khi gửi' },
  IMAGE_NOT_YOURS: { status: 422, message: 'Ảnh hoặc tệp này không phải do bạn tải lên' },
  SENDING_TOO_FAST: { status: 429, message: 'Bạn gửi tin nhắn quá nhanh. Vui lòng thử lại sau' },
  FILE_MISSING: { status: 400, message: 'Vui lòng chọn một file hình ảnh hoặc PDF' },
  IMAGE_TOO_LARGE: { status: 413, message: sentences.IMAGE_TOO_LARGE },
  IMAGE_TYPE: { status: 415, message: sentences.IMAGE_TYPE },
  IMAGE_BROKEN: { status: 422, message: 'Không thể đọc hình ảnh này. Vui lòng chọn file khác.' },
  IMAGES_WAITING: { status: 429, message: 'Đang có nhiều file chờ xử lý. Vui lòng thử lại sau vài giây.' },
  IMAGE_DIMENSIONS: { status: 422, message: 'Hình ảnh quá lớn. Tối đa 8,192 điểm ảnh mỗi cạnh.' },
  PDF_TYPE: { status: 415, message: 'File này không phải là PDF. Vui lòng chọn file PDF hoặc hình ảnh.' },
  PDF_BROKEN: { status: 422, message: 'File PDF bị hỏng hoặc thiếu phần cuối. Vui lòng lưu lại file rồi chọn lại.' },

  NOT_IN_BOOK: { status: 404, message: 'Phiên này không có trong sổ mở: sổ bắt đầu sau phiên này' },
  NOT_SEALED_YET: { status: 404, message: 'Chưa ghi xong vào sổ mở, vui lòng xem lại sau vài giây' },
  BET_NOT_SETTLED: { status: 409, message: 'Lệnh chưa có kết quả, chỉ khiếu nại được sau khi phiên kết thúc' },
  DISPUTE_TOO_LATE: { status: 422, message: 'Lệnh có kết quả đã quá 30 ngày nên không khiếu nại được nữa' },
  DISPUTE_EXISTS: { status: 409, message: 'Lệnh này đã được khiếu nại' },
  TOO_MANY_DISPUTES: {
    status: 429,
    message: 'Bạn đã gửi 10 khiếu nại trong 24 giờ. Vui lòng gửi tiếp sau',
  },

  QUIET_HOURS_EMPTY: { status: 422, message: 'Giờ bắt đầu và giờ kết thúc phải khác nhau' },
  PUSH_ENDPOINT_INVALID: { status: 422, message: 'Trình duyệt đưa ra một địa chỉ nhận thông báo không dùng được' },
} as const satisfies Readonly<Record<RuleRefusal, Refusal> & Record<string, Refusal>>

/** Why a call or an event was refused, for programs; `refusals` has the sentence for people. */
export type RefusalCode = keyof typeof refusals

/**
 * Refusals of every call and event: wrong format, no valid token, too many requests, or a server that cannot handle it
 * now.
 */
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
 * The refusal for a code on the wire; UNKNOWN where the server is newer than this client.
 * @param named the call's own refusals, beside the shared ones
 */
export const readRefusal = <Code extends RefusalCode>(
  code: unknown,
  named: readonly Code[],
): Code | SharedRefusal | 'UNKNOWN' => [...SHARED_REFUSALS, ...named].find((known) => known === code) ?? 'UNKNOWN'
