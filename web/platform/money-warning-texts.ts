/** Warnings for places where a user might mistake points for real money (rules §1.1). */
export const moneyWarnings = {
  bankForm: 'Không nhập thông tin tài khoản thật.',
  depositsAndChat:
    'Nhân viên không bao giờ đề nghị chuyển tiền thật. Điểm không mua được và không đổi được thành tiền.',
} as const
