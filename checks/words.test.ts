import { describe, expect, test } from 'vitest'
import {
  at,
  filesBelow,
  type Finding,
  isTest,
  readSource,
  type SourceFile,
  sourceFile,
  textsOf,
} from './source-files.ts'

/** Settings are named on one page, whose readers may change them (rules §6.15). */
const FOR_OPERATORS = 'nothing: a setting is for operators'
const OF_OWNERS = 'web/features/admin-system/admin-system-texts.ts'

/** One word per thing, and none that a betting house or an operator would say (docs/glossary.md). */
const WORDS: ReadonlyArray<{ readonly not: RegExp; readonly but: string }> = [
  { not: /nhà cái|cược/, but: '“hệ thống”, “lệnh”, “điểm đặt”' },
  { not: /tiền/, but: '“điểm”' },
  { not: /phiên đăng nhập/, but: '“lần đăng nhập”' },
  { not: /chủ sở hữu/, but: '“Chủ quản”' },
  { not: /hoàn tiền|hoàn cược/, but: '“hoàn điểm”' },
  { not: /bác (?:khiếu nại|yêu cầu|đề nghị)|(?:đã|bị) bác/, but: '“từ chối”' },
  { not: /[à-ỹ].*[a-z]_[a-z]|[a-z]_[a-z].*[à-ỹ]/, but: FOR_OPERATORS },
]

/** That points are no money has to be said with the word, and three sentences are the specification's (spec §5, §6). */
const ALLOWED = /tiền thật|thành tiền|chuyển tiền|phải là tiền|^vui lòng nhập số tiền(?: hợp lệ)?$|^bạn không đủ tiền$/g

function findWords(file: SourceFile): Finding[] {
  return textsOf(file).flatMap(({ start, text }) => {
    // Commands are typed, not read.
    if (/^(?:curl|npm|node) /.test(text)) return []
    const read = text.normalize('NFC').toLocaleLowerCase('vi').trim().replaceAll(ALLOWED, '')
    return WORDS.filter(({ not, but }) => not.test(read) && !(but === FOR_OPERATORS && file.path === OF_OWNERS)).map(
      ({ but }) => at(file, { start }, `"${text.trim().slice(0, 80)}": say ${but}`),
    )
  })
}

test('screens and refusals call each thing by one word', () => {
  const read = ['web', 'contract', 'domain'].flatMap(filesBelow).filter((path) => /\.tsx?$/.test(path) && !isTest(path))
  expect(read.length).toBeGreaterThan(300)
  // What a warning looks for, in messages of others.
  const own = read.filter((path) => path !== 'web/features/chat/care-words.ts')
  expect(own.map(readSource).flatMap(findWords)).toEqual([])
})

/** Catalogues of screens that keep words of proof behind a fold, which tests of these screens hold (rules §7.11). */
const OF_PROOF = new Set(
  ['book/book', 'book/check', 'book/fault', 'receipt/receipt'].map((name) => `web/features/${name}-texts.ts`),
)
const isOfPlayers = (path: string) => !/\/admin|\.test\./.test(path) && !OF_PROOF.has(path)
const PROOF_WORDS = /bút toán|wilson|^curl\b|bản chốt|niêm phong/iu

const findProofWords = (file: SourceFile): Finding[] =>
  textsOf(file)
    .filter(({ text }) => PROOF_WORDS.test(text.normalize('NFC')))
    .map(({ start, text }) => at(file, { start }, `"${text.trim().slice(0, 80)}" stands behind no fold`))

test('players read words of proof and statistics only where they unfold a proof', () => {
  const read = [...filesBelow('web'), 'contract/refusals.ts', 'contract/sentences.ts']
    .filter((path) => /\.tsx?$/.test(path) && !path.startsWith('web/testing/'))
    .filter(isOfPlayers)
  expect(read.length).toBeGreaterThan(300)
  expect([...OF_PROOF].map(readSource).filter((file) => findProofWords(file).length === 0)).toEqual([])
  expect(read.map(readSource).flatMap(findProofWords)).toEqual([])
})

describe('planted in a catalogue, it is found:', () => {
  test.each([
    'Phiên này không nhận cược.',
    'Chênh lệch của nhà cái',
    'Số tiền',
    'Kết thúc phiên đăng nhập',
    'Bác khiếu nại',
    'Khiếu nại bị bác',
    'Máy chủ chưa đặt PUBLIC_ORIGIN.',
  ])('%s', (text) => {
    const file = sourceFile('web/a-texts.ts', `export const texts = { a: '${text}' } as const`)
    expect(findWords(file)).toHaveLength(1)
  })

  test.each(['Điểm không đổi được thành tiền.', 'Bạn không đủ tiền', 'Từ chối khiếu nại', 'chat_message'])(
    'not: %s',
    (text) => expect(findWords(sourceFile('web/a-texts.ts', `export const a = '${text}'`))).toEqual([]),
  )
})
