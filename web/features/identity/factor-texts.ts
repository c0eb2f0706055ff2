/** Proving a second factor, at a sign-in and before grave acts (rules §4.10). */
export const factorTexts = {
  title: 'Xác thực hai lớp',
  totpLabel: 'Mã 6 số trong ứng dụng xác thực',
  totpHint: 'Mã đổi sau mỗi 30 giây, mỗi mã chỉ dùng được một lần.',
  recoveryLabel: 'Mã khôi phục',
  recoveryHint: 'Một trong mười mã bạn đã lưu, mỗi mã chỉ dùng được một lần.',
  codeRequired: 'Vui lòng nhập mã',
  byPasskey: 'Dùng khoá truy cập',
  byTotp: 'Dùng ứng dụng xác thực',
  byRecovery: 'Dùng mã khôi phục',
  confirm: 'Xác thực',
  restart: 'Đăng nhập lại từ đầu',
  passkeyStopped: 'Chưa dùng được khoá truy cập. Vui lòng thử lại hoặc chọn cách khác.',
  failed: 'Chưa xác thực được',
  lost: 'Mất cả điện thoại lẫn mã khôi phục? Nhờ một quản trị viên có quyền Chủ quản đặt lại giúp bạn.',
  notMine: 'Không phải bạn thêm lớp này?',
  undoWhy: (name: string, at: string, where: string) =>
    `“${name}” được thêm ${at} từ ${where}. Nếu không phải bạn, hãy gỡ nó: mọi lớp xác thực bị xoá, mọi thiết bị khác bị đăng xuất, và tài khoản có mật khẩu mới.` as const,
  unknownPlace: 'nơi không rõ',
  undo: 'Gỡ và đổi mật khẩu',
  undoFailed: 'Chưa gỡ được lớp xác thực',
  freshWhy: 'Thao tác này cần xác thực lại. Sau đó bạn không bị hỏi lại trong 15 phút.',
} as const
