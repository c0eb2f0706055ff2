import { expect, test } from 'vitest'
import { cleanFileName, FILE_NAME_MAX } from './file-name.ts'

test.each([
  ['sao kê tháng 11.pdf', 'sao kê tháng 11.pdf'],
  ['HOA-DON.PDF', 'HOA-DON.pdf'],
  ['bien-lai', 'bien-lai.pdf'],
  ['a.pdf.exe', 'a.pdf.exe.pdf'],
  // Read from right to left it would end in .exe.
  ['so\u202Efdp.exe', 'sofdp.exe.pdf'],
  ['a\u2066b\u200Fc\u0000d\u007Fe\u200Bf.pdf', 'abcdef.pdf'],
  ['một\n\thai \u2028 ba  .pdf', 'một hai ba.pdf'],
  ['C:\\giấy tờ\\sao ke.pdf', 'sao ke.pdf'],
  ['../../etc/passwd', 'passwd.pdf'],
  ['..pdf', 'tep.pdf'],
  ['', 'tep.pdf'],
  ['.pdf', 'tep.pdf'],
  [' \u202E ', 'tep.pdf'],
  ['te\u0302p.pdf', 't\u00EAp.pdf'],
  ['a\uD800.pdf', 'a\uFFFD.pdf'],
])('%j is called %j', (given, name) => {
  expect(cleanFileName(given)).toBe(name)
  expect(cleanFileName(name)).toBe(name)
})

test('a long name is cut before its extension, and never through a character', () => {
  expect(cleanFileName(`${'á'.repeat(300)}.pdf`)).toBe(`${'á'.repeat(FILE_NAME_MAX - 4)}.pdf`)
  expect(cleanFileName('👍'.repeat(300))).toBe(`${'👍'.repeat(FILE_NAME_MAX - 4)}.pdf`)
})
