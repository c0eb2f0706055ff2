import { expect, test } from 'vitest'
import { contactLink } from './contact-href.ts'

test.each([
  ['https://zalo.me/0901234567', 'https://zalo.me/0901234567', 'https://zalo.me/0901234567'],
  [' mailto:hotro@kimphien.vn?subject=A ', 'mailto:hotro@kimphien.vn?subject=A', 'hotro@kimphien.vn'],
  ['tel:+84901234567', 'tel:+84901234567', '+84901234567'],
])('%s is a link', (contact, href, label) => {
  expect(contactLink(contact)).toEqual({ href, label })
})

test.each([
  'quản trị viên',
  'Zalo: 0901 234 567',
  'http://zalo.me/0901234567',
  'javascript:alert(1)',
  'data:text/html,x',
  '//zalo.me',
  'https://',
  'tel:',
  '',
])('%s is a text', (contact) => {
  expect(contactLink(contact)).toBeNull()
})
