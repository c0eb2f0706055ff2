import type { Capability } from '#domain/identity/permissions.ts'

export const capabilityWords: Readonly<Record<Capability, string>> = {
  money: 'Điểm',
  care: 'Chăm sóc',
  rounds: 'Phiên',
  users: 'Tài khoản',
  owner: 'Chủ quản',
}

export const capabilityDetails: Readonly<Record<Capability, string>> = {
  money: 'Duyệt, từ chối và xoá giao dịch; điều chỉnh số dư; chấp nhận khiếu nại kèm điểm.',
  care: 'Đọc và trả lời tin nhắn của khách; từ chối khiếu nại.',
  rounds: 'Đặt kết quả, xoá và mở phiên; ẩn lệnh.',
  users: 'Sửa tài khoản và ngân hàng, đặt lại mật khẩu, đóng băng, xoá, đặt sẵn kết quả.',
  owner: 'Đổi vai trò, phân quyền, quản lý tài khoản của quản trị viên khác, xem trang Hệ thống.',
}
