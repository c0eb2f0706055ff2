import * as z from 'zod/mini'
import { textIssuesOf } from '#contract/codecs.ts'

const otherwise = z.locales.vi().localeError

const count = (value: number | bigint): string => value.toLocaleString('en-US')

/** Replaces most of zod's sentences, because they contain names of types, operators and unknown fields. */
export const faultSentence: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'unrecognized_keys':
      return 'Trường không được nhận dạng'
    case 'invalid_type':
      return issue.input === undefined ? 'Còn thiếu' : 'Không đúng kiểu dữ liệu'
    case 'invalid_value':
      return issue.values.length === 1
        ? `Phải là ${String(issue.values[0])}`
        : `Phải là một trong: ${issue.values.map(String).join(', ')}`
    case 'too_big':
      if (issue.origin === 'string') return `Dài quá ${count(issue.maximum)} ký tự`
      if (issue.origin === 'array') return `Nhiều quá ${count(issue.maximum)} mục`
      return issue.inclusive === false ? `Phải nhỏ hơn ${count(issue.maximum)}` : `Lớn quá ${count(issue.maximum)}`
    case 'too_small':
      if (issue.origin === 'string')
        return issue.minimum === 1 ? 'Không được để trống' : `Cần ít nhất ${count(issue.minimum)} ký tự`
      if (issue.origin === 'array') return `Cần ít nhất ${count(issue.minimum)} mục`
      return issue.inclusive === false ? `Phải lớn hơn ${count(issue.minimum)}` : `Nhỏ hơn ${count(issue.minimum)}`
    case 'invalid_format':
      return issue.format === 'regex' ? 'Không đúng định dạng' : otherwise(issue)
    case 'custom':
      return textIssuesOf({ issues: [issue] }).length > 0 ? 'Có ký tự không đọc được' : otherwise(issue)
    case 'not_multiple_of':
    case 'invalid_key':
    case 'invalid_union':
    case 'invalid_element':
    default:
      return otherwise(issue)
  }
}
