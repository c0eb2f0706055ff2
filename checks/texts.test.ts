import { readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { adminUserTexts } from '#web/features/admin-users/admin-user-texts.ts'
import { chatTexts } from '#web/features/chat/chat-texts.ts'
import { DURATION_S, RATE_PERCENT, ROUND_TYPES } from '#domain/game/calendar.ts'
import { landingTexts } from '#web/features/landing/landing-texts.ts'
import { sourceLabel } from '#domain/market/source-label.ts'
import { SIMULATED } from '#domain/market/sources.ts'
import { filesBelow, isTest, root } from './source-files.ts'

const names = filesBelow('web').filter((path) => /(?:^|[/-])texts\.ts$/.test(path))
const files = await Promise.all(names.map((path): Promise<unknown> => import(posix.join(root, path))))

/** Every text of a catalogue at any depth, except functions, which are sentences with a gap. */
const textsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsOf)
      : []

/**
 * Every string for people that docs/spec.md and docs/rules.md quote, by section; copied from the pages, not from the
 * catalogue.
 */
const quotedInSpec: Readonly<Record<string, readonly string[]>> = {
  'spec §2': [
    'Trang chủ',
    'Đầu tư',
    'CSKH',
    'Tài khoản',
    'Loading...',
    'Tài khoản đã bị vô hiệu hoá',
    'Làm mới trang',
    '1.0.0',
    'Invest',
    'History',
    'Dashboard',
    'Platform',
    'Members',
    'Giao dịch',
    'Game',
    'Lịch sử tham gia',
    'Customer care',
    'Tin nhắn',
    'Quay về trang chủ',
    'Log out',
    'Admin',
    'Add team',
    'Không có kết quả nào.',
    'Đang tải dữ liệu người dùng...',
    'Đang kết nối server chat...',
    'Đang tải dữ liệu cuộc trò chuyện...',
    'Không thể kết nối đến server chat.',
    'Vui lòng thử làm mới trang hoặc kiểm tra kết nối mạng.',
    'Chăm sóc khách hàng',
    'Cuộc trò chuyện',
    'Admin đang hoạt động',
    'Lỗi!',
    'Huỷ',
    'Xác nhận',
  ],
  'spec §4': [
    'Duyệt',
    'Huỷ',
    'Đang duyệt',
    'Đã duyệt',
    'Không duyệt',
    'Đang kết nối...',
    'Đang gửi...',
    '✓ Đã gửi',
    '✓✓ Đã xem',
  ],
  'spec §5': [
    'Mã giới thiệu sai',
    'Mật khẩu phải có ít nhất 6 ký tự',
    'Mật khẩu xác nhận không khớp',
    'Không tìm thấy phiên hiện tại',
    'Phiên đầu tư đang kết thúc, vui lòng chờ phiên mới',
    'Vui lòng chọn hướng',
    'Vui lòng nhập số tiền hợp lệ',
    'Bạn không đủ tiền',
    'Vui lòng nhập số tiền',
    'Số dư không đủ',
    'Không có quyền chỉnh sửa. Vui lòng liên hệ',
    'Mất kết nối với server. Vui lòng thử lại.',
    'Vui lòng chỉ chọn file hình ảnh (JPEG, PNG, GIF).',
    'Kích thước file quá lớn. Vui lòng chọn file nhỏ hơn 5MB.',
    'Không thể gửi hình ảnh. Vui lòng thử lại.',
    'Bạn có chắc chắn muốn xóa cuộc trò chuyện này?',
  ],
  'spec §8': [
    'Tài khoản của bạn đã bị vô hiệu hoá. Vui lòng liên hệ admin để được hỗ trợ.',
    'Nếu bạn cho rằng đây là lỗi, hãy thử làm mới trang hoặc liên hệ hỗ trợ',
    'Đăng nhập thất bại',
    'Đăng ký thất bại',
    'Có lỗi xảy ra',
    'Có lỗi xảy ra, vui lòng thử lại',
    'Thông tin người dùng không hợp lệ để kết nối chat.',
    'Không thể kết nối đến server chat.',
    'Lỗi từ server: {message}',
    'Không thể tải dữ liệu ban đầu.',
    'Không thể tải tin nhắn.',
    'Không thể tải thêm tin nhắn.',
    'Vui lòng chọn một cuộc trò chuyện hoặc người dùng để nhắn tin.',
    'Mất kết nối với server. Vui lòng thử lại.',
    'Không thể tải hoặc gửi ảnh.',
    'Không thể xóa cuộc trò chuyện.',
    'Chưa có tin nhắn nào. Hãy bắt đầu cuộc trò chuyện!',
    'Chưa có cuộc trò chuyện nào.',
    'Không tìm thấy người dùng nào.',
    'Chưa có tin nhắn.',
    'Đăng nhập thành công!',
    'Đăng ký thành công!',
    'Đổi mật khẩu thành công',
    'Đã gửi lệnh thành công',
    'Tạo yêu cầu thành công',
    'Thêm ngân hàng thành công',
    'Đã đóng băng tài khoản',
    'Đã chuyển sang auto win',
    'Đã chuyển sang auto lose',
  ],
  'spec §9': ['Hôm nay', 'Hôm qua', 'Tải thêm tin nhắn'],
  'rules §1.1, §1.2': [
    'Trò chơi mô phỏng bằng điểm ảo, không quy đổi thành tiền.',
    'Không nhập thông tin tài khoản thật.',
    'Nhân viên không bao giờ đề nghị chuyển tiền thật. Điểm không mua được và không đổi được thành tiền.',
    'Kết quả phiên này do quản trị viên đặt',
    'Tài khoản minh hoạ: kết quả được đặt sẵn (auto win)',
    'Giá mô phỏng',
    'Thị trường vàng đóng cửa, phiên dùng giá mô phỏng',
    'Phiên chỉ dùng giá vàng',
    'Hoàn điểm',
  ],
}

/** Sentences with a gap, filled in as the spec shows them; the label of a price is followed by the price. */
const filledIn = [
  sourceLabel(SIMULATED),
  chatTexts.serverError('{message}'),
  adminUserTexts.nowScripted('auto win'),
  adminUserTexts.nowScripted('auto lose'),
]

const catalogue = new Set<string>([...filledIn, ...files.flatMap((file) => textsOf({ ...(file as object) }))])

test.each(Object.entries(quotedInSpec))(
  '%s: every quoted string is in the catalogue, letter by letter',
  (_, quoted) => {
    expect(quoted.filter((text) => !catalogue.has(text))).toEqual([])
  },
)

/** A page's text with its line breaks normalised. */
const wordsOf = async (page: string) => (await readFile(posix.join(root, page), 'utf8')).replace(/\s+/g, ' ')

test('every string that is quoted here stands in the specification or in the rules', async () => {
  const law = `${await wordsOf('docs/spec.md')} ${await wordsOf('docs/rules.md')}`
  const quoted = Object.values(quotedInSpec).flat()
  expect(quoted.filter((text) => !law.includes(text))).toEqual([])
})

/** Texts that no journey can reach, and why. */
const outOfReach: Readonly<Record<string, string>> = {
  'Thông tin người dùng không hợp lệ để kết nối chat.': 'the account of a valid session has an id and a name',
  'Vui lòng chọn một cuộc trò chuyện hoặc người dùng để nhắn tin.': 'the field to write in comes with a conversation',
  'Không thể tải hoặc gửi ảnh.': 'the browser would have to lose the image between two tries',
}

/** How tests refer to a text with a gap. */
const filledNames: Readonly<Record<string, string>> = {
  'Lỗi từ server: {message}': 'chatTexts.serverError(',
  'Đã chuyển sang auto win': "adminUserTexts.nowScripted('auto win')",
  'Đã chuyển sang auto lose': "adminUserTexts.nowScripted('auto lose')",
}

/** How tests refer to a text: `gameTexts.betFailed`. */
const namesOf = (value: unknown, path: string, text: string): string[] =>
  value === text
    ? [path]
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, below]) => namesOf(below, path === '' ? key : `${path}.${key}`, text))
      : []

test('spec §8: every text a person can meet is asserted by a journey in the browser', async () => {
  const journeys = await Promise.all(
    filesBelow('e2e')
      .filter((path) => path.endsWith('.test.ts'))
      .map((path) => readFile(posix.join(root, path), 'utf8')),
  )
  const isAsserted = (text: string) =>
    [text, filledNames[text] ?? text, ...files.flatMap((file) => namesOf({ ...(file as object) }, '', text))].some(
      (name) => journeys.some((source) => source.includes(name)),
    )
  const missing = (quotedInSpec['spec §8'] ?? []).filter((text) => !isAsserted(text))
  expect(missing.toSorted()).toEqual(Object.keys(outOfReach).toSorted())
})

test('the catalogue was read at all, and every text is composed Unicode without stray spaces', () => {
  expect(files.length).toBeGreaterThan(8)
  expect(catalogue.size).toBeGreaterThan(300)
  for (const text of catalogue) {
    expect(text).toBe(text.normalize('NFC'))
    expect(text).toBe(text.trim())
    expect(text).not.toBe('')
  }
})

/** Every text of one catalogue by its path, with a list of texts as one: `limits.tooHigh`. */
const placesOf = (value: unknown, path: string): string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([key, below]) => placesOf(below, path === '' ? key : `${path}.${key}`))
    : [path]

/**
 * The paths of a catalogue that a source reads. A catalogue, or a part of it, that is read by a computed key or passed
 * on whole counts as read completely: the type checker then knows which of its texts are used.
 */
function placesRead(source: string, catalogueName: string): string[] {
  const imported = new RegExp(`import (?:type )?\\{[^}]*\\b${catalogueName}\\b(?: as (\\w+))?[^}]*\\}`).exec(source)
  if (imported === null) return []
  const name = imported[1] ?? catalogueName
  const body = source.replace(imported[0], '')
  return [...body.matchAll(new RegExp(`(?<![\\w.])${name}\\b((?:\\??\\.\\w+)*)`, 'g'))].map((found) =>
    (found[1] ?? '').slice(1),
  )
}

test('every text is used on a screen', async () => {
  const sources = await Promise.all(
    filesBelow('web')
      .filter((path) => /\.tsx?$/.test(path) && !isTest(path))
      .map((path) => readFile(posix.join(root, path), 'utf8')),
  )
  const unusedOf = ([name, texts]: [string, unknown]) => {
    const read = sources.flatMap((source) => placesRead(source, name))
    const isRead = (place: string) =>
      read.some((path) => path === '' || path === place || place.startsWith(`${path}.`) || path.startsWith(`${place}.`))
    return placesOf(texts, '')
      .filter((place) => !isRead(place))
      .map((place) => `${name}.${place}`)
  }
  const unused = files.flatMap((file) => Object.entries({ ...(file as object) }).flatMap(unusedOf))
  expect(unused).toEqual([])
})

test('a text that nobody reads is found', () => {
  const source = "import { a, b as c } from './texts.ts'\nconst x = [a.one, c.two.three, c.four[key], a.five.length]"
  expect(placesRead(source, 'a')).toEqual(['one', 'five.length'])
  expect(placesRead(source, 'b')).toEqual(['two.three', 'four'])
  expect(placesRead(source, 'd')).toEqual([])
})

test('the landing page names every length of a round and what it pays and takes', () => {
  const [lengths, rates] = ['loại phiên', 'tỷ lệ'].map((word) =>
    landingTexts.promoLines.find((line) => line.includes(word)),
  )
  expect(lengths?.match(/\d+/g)?.map(Number)).toEqual(ROUND_TYPES.map((type) => DURATION_S[type]))
  expect(rates?.match(/\d+%/g)).toEqual(ROUND_TYPES.map((type) => `${RATE_PERCENT[type]}%`))
})

test('no text promises returns', () => {
  const promises = [...catalogue].filter((text) => /lợi nhuận|sinh lời|chắc thắng|cam kết/i.test(text))
  expect(promises).toEqual([])
})
