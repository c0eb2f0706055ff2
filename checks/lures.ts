import { at, type Finding, type SourceFile, textsOf } from './source-files.ts'

/**
 * Words that lure to play (rules §8), in the texts that people read. They are Vietnamese, with the accents that tell
 * "thưởng" (a reward) from "thường" (usual), and the English ones that screens of this kind borrow.
 */
const LURES: Readonly<Record<string, RegExp>> = {
  'a ranking':
    /xếp hạng|thứ hạng|bảng vàng|cao thủ|đứng đầu|(?:trong|vào|lên) top|top \d+ (?:người|tuần|ngày|tháng)|leaderboard|ranking/,
  'a streak': /chuỗi (?:thắng|thua|ngày|phiên)|(?:thắng|thua) liên tiếp|(?:giữ|nối dài|phá) chuỗi|streak/,
  'a bonus': /thưởng|khuyến mãi|ưu đãi|quà|được tặng|tặng (?:bạn|thêm|điểm)|trúng|vòng quay|bonus|jackpot|voucher/,
  'a celebration': /chúc mừng|tuyệt vời|xuất sắc|thắng lớn|thắng đậm|🎉|🎊|🏆|🔥/,
  'a near miss': /suýt|xém|gần thắng|sắp thắng|chút (?:xíu )?nữa|tiếc quá|đáng tiếc|thật tiếc|chỉ thiếu|chỉ còn cách/,
  luck: /may mắn|vận may|vận đỏ|số đỏ|thần tài|thử vận|lucky/,
  'an invitation to play':
    /(?:mời|rủ) (?:bạn|bè|bạn bè)?\s*(?:chơi|đặt|tham gia)|(?:chơi|đặt) ngay|chơi thử ngay|chơi tiếp|đặt tiếp|chơi thêm|đặt thêm lệnh|quay lại (?:chơi|đặt|ngay|nhé)|đừng bỏ lỡ|cơ hội|nhanh tay|sẵn sàng chưa|gỡ (?:lại|gạc|vốn)|phục thù/,
  'a message after absence': /đã lâu|lâu rồi|lâu không|nhớ bạn|vắng mặt|chờ bạn|đang đợi bạn/,
  'word of a refill or of the end of a time-out':
    /(?:đã|sắp) (?:hết|xong) (?:thời gian )?tạm nghỉ|tạm nghỉ (?:đã|sắp) (?:hết|kết thúc)|nhận điểm (?:ngay|hôm nay|mỗi ngày)|điểm danh|nhận lại điểm (?:sau|lúc)/,
  'a price alert': /cảnh báo giá|báo khi giá|nhắc khi giá|giá (?:vừa )?(?:chạm|vượt|đạt mốc)/,
  'a best hour or side':
    /giờ vàng|giờ đẹp|khung giờ|giờ (?:tốt|thắng) nhất|(?:bên|hướng|phía) (?:tốt|mạnh|thắng) nhất|nên (?:mua|bán)/,
  'a comparison with other players':
    /người chơi khác|người khác (?:đang|đã|thắng)|hơn \S+ người|so với mọi người|đang chơi cùng/,
  'a promise': /chắc thắng|cam kết thắng|dễ thắng|kiếm tiền|sinh lời|lợi nhuận|làm giàu|tỷ lệ thắng cao/,
}

/**
 * Phrases that the product has to use although they contain such words: phrase, files, reason. Everything else of the
 * same text is still searched.
 */
const ALLOWED: ReadonlyArray<{ readonly phrase: RegExp; readonly in: RegExp; readonly why: string }> = [
  {
    phrase: /chuỗi (?:thắng|thua)|(?:thắng|thua) liên tiếp/g,
    in: /^web\/features\/statistics\//,
    why: 'the longest runs beside what chance gives: statistics explain chance',
  },
  {
    phrase: /không làm lệnh sau dễ thắng hơn/g,
    in: /^web\/features\/statistics\//,
    why: 'says that a higher stake after a loss promises nothing',
  },
]

/** The kinds of lure that a text holds, wherever it stands. */
export function luresOf(text: string, path = ''): string[] {
  const lower = text.normalize('NFC').toLocaleLowerCase('vi')
  const read = ALLOWED.reduce(
    (rest, { phrase, in: files }) => (files.test(path) ? rest.replace(phrase, '') : rest),
    lower,
  )
  // Words are bounded by characters that are no letters, so that "quà" is not found in "quàng".
  return Object.entries(LURES).flatMap(([kind, words]) =>
    new RegExp(String.raw`(?<![\p{L}])(?:${words.source})(?![\p{L}])`, 'u').test(read) ? [kind] : [],
  )
}

/** Lures in the texts of a file. */
export function findLures(file: SourceFile): Finding[] {
  return textsOf(file).flatMap(({ start, text }) =>
    luresOf(text, file.path).map((kind) => at(file, { start }, `"${text.trim().slice(0, 80)}" is ${kind} (rules §8)`)),
  )
}
