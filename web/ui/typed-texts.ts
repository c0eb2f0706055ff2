import type { NumberProblem } from '#domain/typed-number.ts'

/** Sentences that say why a typed or pasted text is not accepted as a number (rules §6.1). */
export const numberProblems: Readonly<Record<NumberProblem, string>> = {
  empty: 'Vui lòng nhập một số',
  signed: 'Số không được có dấu + hoặc −',
  fraction: 'Chỉ nhập số nguyên, không có phần lẻ',
  large: 'Số này quá lớn',
  unclear: 'Không đọc chắc được số này. Vui lòng nhập lại bằng chữ số, ví dụ 1,000,000',
}

export const dayOutside = (first: string, last: string) => `Chọn đủ ngày, tháng, năm, từ ${first} đến ${last}` as const
