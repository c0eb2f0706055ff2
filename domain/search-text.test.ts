import { expect, test } from 'vitest'
import { foldForSearch } from './search-text.ts'

test.each([
  ['Đông Á', 'dong a'],
  ['Ngân hàng TMCP Ngoại Thương', 'ngan hang tmcp ngoai thuong'],
  ['  VietinBank ', 'vietinbank'],
  ['Ưu đãi', 'uu dai'],
])('%s is searched as %s', (text, folded) => {
  expect(foldForSearch(text)).toBe(folded)
  // Composed and decomposed letters look the same and match each other.
  expect(foldForSearch(text.normalize('NFD'))).toBe(folded)
})
