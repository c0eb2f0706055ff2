import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { refusals } from '#contract/refusals.ts'
import { findLures, luresOf } from './lures.ts'
import { filesBelow, isTest, readSource, root, sourceFile } from './source-files.ts'

/** Everything whose strings a person may read: screens, refusals, what the server writes, the page, the installed app. */
const read = [
  ...['web', 'contract', 'server', 'domain']
    .flatMap(filesBelow)
    .filter((path) => /\.(?:tsx?|js)$/.test(path) && !isTest(path)),
  'index.html',
  'public/manifest.webmanifest',
]

test('no text lures to play', () => {
  expect(read.length).toBeGreaterThan(400)
  expect(read.filter((path) => path.endsWith('texts.ts')).length).toBeGreaterThan(25)
  expect(read.map(readSource).flatMap(findLures)).toEqual([])
})

test('no library makes a celebration', () => {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(
    readFileSync(posix.join(root, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'devDependencies', Readonly<Record<string, string>> | undefined>
  const names = Object.keys({ ...dependencies, ...devDependencies })
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => /confetti|fireworks|lottie|party/.test(name))).toEqual([])
})

describe('planted in a catalogue, it is found:', () => {
  test.each([
    ['a ranking', 'Bảng xếp hạng tuần này'],
    ['a ranking', 'Bạn nằm trong Top 10'],
    ['a streak', 'Chuỗi thắng của bạn: 5'],
    ['a streak', 'Bạn đã thắng liên tiếp ba phiên'],
    ['a bonus', 'Nhận thưởng khi đặt lệnh đầu tiên'],
    ['a bonus', 'Tặng bạn 100 điểm'],
    ['a celebration', 'Chúc mừng! Bạn thắng 5 điểm'],
    ['a celebration', 'Bạn thắng 🎉'],
    ['a near miss', 'Suýt nữa thì thắng'],
    ['a near miss', 'Tiếc quá, chỉ thiếu 0.001'],
    ['luck', 'Chúc bạn may mắn'],
    ['an invitation to play', 'Mời bạn chơi một phiên'],
    ['an invitation to play', 'Đặt ngay kẻo lỡ'],
    ['an invitation to play', 'Quay lại chơi nhé'],
    ['an invitation to play', 'Gỡ lại số điểm đã thua'],
    ['a message after absence', 'Đã lâu không gặp bạn'],
    ['word of a refill or of the end of a time-out', 'Bạn đã hết thời gian tạm nghỉ'],
    ['word of a refill or of the end of a time-out', 'Nhận điểm mỗi ngày'],
    ['a price alert', 'Cảnh báo giá: vàng tăng 1%'],
    ['a best hour or side', 'Giờ vàng của bạn là 20:00'],
    ['a best hour or side', 'Lúc này nên mua'],
    ['a comparison with other players', 'Bạn thắng hơn 80% người chơi khác'],
    ['a promise', 'Dễ thắng, lợi nhuận mỗi ngày'],
  ])('%s: %s', (kind, text) => {
    const file = sourceFile(
      'web/features/game/game-texts.ts',
      `export const texts = { a: '${text}', b: 'Số dư' } as const`,
    )
    expect(findLures(file).map(({ message }) => message)).toContain(`"${text}" is ${kind} (rules §8)`)
    expect(luresOf(text.toLocaleUpperCase('vi'))).toContain(kind)
    expect(luresOf(text.normalize('NFD'))).toContain(kind)
  })

  test('in a sentence with a gap, in JSX, in a push of the server, and in a page', () => {
    const planted: ReadonlyArray<readonly [path: string, text: string]> = [
      ['web/a-texts.ts', 'export const a = (n: string) => `Thưởng ${n} điểm`'],
      ['web/a.tsx', 'export const a = <p>Giờ vàng</p>'],
      ['server/features/push/payloads.ts', `export const title = 'Quay lại chơi'`],
      ['index.html', '<title>Vòng quay</title>'],
    ]
    for (const [path, text] of planted)
      expect(findLures(sourceFile(path, text)).map((found) => found.path)).toEqual([path])
  })
})

describe('what the product has to say is no lure:', () => {
  test.each([
    'Bạn thường nhận trả lời trong 5 phút',
    'Giá vào là giá đầu tiên được báo sau khi lệnh được nhận',
    'Điểm chào mừng',
    'Đặt lại',
    'Nếu kết thúc lúc này: +0.50',
    'Quay về trang chủ',
    'Vui lòng tải lại rồi thử lại',
    'Bạn đang trong thời gian tạm nghỉ',
    'Không điểm nào được cộng hay trừ',
    'Lệnh bạn vừa chọn: Mua 10 · 30s',
    'Bạn đã đặt lệnh quá nhanh',
    'Đang chờ duyệt',
  ])('%s', (text) => {
    expect(luresOf(text)).toEqual([])
  })

  test('the longest runs, in the statistics alone', () => {
    const text = 'Chuỗi thắng dài nhất: 7'
    expect(luresOf(text, 'web/features/statistics/statistics-texts.ts')).toEqual([])
    expect(luresOf(text, 'web/features/game/game-texts.ts')).toEqual(['a streak'])
    expect(luresOf(`${text}. Chúc mừng!`, 'web/features/statistics/statistics-texts.ts')).toEqual(['a celebration'])
  })

  test('every sentence of a refusal', () => {
    const sentences = Object.values(refusals).map(({ message }) => message)
    expect(sentences.length).toBeGreaterThan(60)
    expect(sentences.flatMap((sentence) => luresOf(sentence))).toEqual([])
  })
})
