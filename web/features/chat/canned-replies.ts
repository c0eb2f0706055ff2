import { useQuery } from '@tanstack/react-query'
import { chatEndpoints } from '#contract/chat.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'

/** Built-in canned replies. None of their sentences may promise a profit (rules §1.1). */
export const cannedReplies = [
  { name: 'chao', text: 'Xin chào, mình là nhân viên chăm sóc khách hàng. Mình có thể giúp gì cho bạn?' },
  { name: 'cho', text: 'Bạn chờ mình kiểm tra một chút nhé.' },
  { name: 'diem', text: 'Điểm trong Kim Phiên là điểm ảo, không mua được và không đổi được thành tiền.' },
  { name: 'antoan', text: 'Bạn đừng gửi mật khẩu, mã OTP hay số tài khoản thật cho bất kỳ ai, kể cả nhân viên.' },
  { name: 'lichsu', text: 'Bạn xem từng lần thay đổi số dư trong mục Tài khoản, Lịch sử số dư.' },
  { name: 'phien', text: 'Kết quả mỗi lệnh được tính theo giá vào và giá ra ghi trong Lịch sử.' },
  { name: 'nganhang', text: 'Mỗi tài khoản liên kết tối đa 3 ngân hàng. Bạn cần sửa thông tin nào?' },
  { name: 'camon', text: 'Cảm ơn bạn đã liên hệ. Chúc bạn một ngày vui vẻ!' },
] as const

export const repliesKey = ['chat', 'replies'] as const
export const repliesQuery = {
  ...endpointQuery(repliesKey, chatEndpoints.listReplies, {}),
  staleTime: 60_000,
}

export type Reply = { readonly name: string; readonly text: string }

/** Returns the replies to choose from: the admin's own, then those that colleagues share, then the built-in ones. */
export function useReplies(): readonly Reply[] {
  const { data = [] } = useQuery(repliesQuery)
  return [...data, ...cannedReplies]
}
