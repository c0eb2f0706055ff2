export const careReportTexts = {
  subtitle: 'Mỗi việc tính vào ngày bắt đầu. Chỉ nhân viên xem được.',
  empty: 'Chưa có việc nào trong khoảng này.',
  loadFailed: 'Không tải được báo cáo',
} as const
