import { expect, test } from 'vitest'
import { ignoredLines, parseSettingsFile } from './settings-file.ts'

/*
 * The values are those that systemd 252 itself reads from such a file (load_env_file); a shell that sources the file
 * reads others, or fails.
 */
test.each([
  ['PORT=3000\n', { PORT: '3000' }],
  ['PORT = 3000', { PORT: '3000' }],
  ['# a\n; b\n\n  TEAM_NAME=Kim Phiên  \n', { TEAM_NAME: 'Kim Phiên' }],
  ['SUPPORT_CONTACT=quản trị viên & bạn', { SUPPORT_CONTACT: 'quản trị viên & bạn' }],
  ['DATABASE_URL=postgres://a:b$c`d@h/x?y=1&z=2#w', { DATABASE_URL: 'postgres://a:b$c`d@h/x?y=1&z=2#w' }],
  ['ADMIN_PASSWORD="a b#c"', { ADMIN_PASSWORD: 'a b#c' }],
  [`ADMIN_PASSWORD='a\\b"c$d'`, { ADMIN_PASSWORD: 'a\\b"c$d' }],
  ['ADMIN_PASSWORD="a\\"b\\\\c\\$d\\`e\\n"', { ADMIN_PASSWORD: 'a"b\\c$d`e\\n' }],
  ['ADMIN_PASSWORD=a\\b\\\\c', { ADMIN_PASSWORD: 'ab\\c' }],
  [`ADMIN_PASSWORD=it's`, { ADMIN_PASSWORD: `it's` }],
  [`ADMIN_PASSWORD="a" 'b'c d `, { ADMIN_PASSWORD: 'abc d' }],
  ['ADMIN_PASSWORD=a\\ \n', { ADMIN_PASSWORD: 'a ' }],
  ['TEAM_NAME=a\\\nb\nPORT=1', { TEAM_NAME: 'ab', PORT: '1' }],
  ['TEAM_NAME="a\nb"\nPORT=1', { TEAM_NAME: 'a\nb', PORT: '1' }],
  ['TEAM_NAME="a\\\nb"', { TEAM_NAME: 'ab' }],
  ['# a comment that goes on\\\nPORT=1\nHOST=::1', { HOST: '::1' }],
  ['PORT=1\r\nHOST=::1\r\n', { PORT: '1', HOST: '::1' }],
  ['PORT=1\nPORT=2\nHOST=', { PORT: '2', HOST: '' }],
  ['export PORT=1\nno sign\n1A=2', {}],
  ['', {}],
])('%j', (text, values) => {
  expect(parseSettingsFile(text)).toEqual(values)
})

test('a line that sets nothing is named by its number', () => {
  const text = '# a\n; b\n\nPORT=1\n\n  export HOST=::1\nTEAM_NAME="a\nb"\r\nno sign\r\n1A=2\nGOLD_FEED: pyth\n=\n \n'
  const named = [6, 9, 10, 11, 12].map((number) => `.env, line ${number} sets nothing: a setting is NAME=value`)
  expect(ignoredLines('.env', text)).toEqual(named)
  expect(ignoredLines('.env', '')).toEqual([])
  // As an editor may write it: systemd does not skip the mark, and people do not see it.
  expect(ignoredLines('.env', '\uFEFFPORT=1\nHOST=::1')).toEqual([
    '.env, line 1 sets nothing: a setting is NAME=value, without the byte order mark before it',
  ])
})
