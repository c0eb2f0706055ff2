export const secondPersonTexts = {
  needed: 'Cần người thứ hai xác nhận',
  why: (name: string, sum: string, from: string) =>
    `Trong 24 giờ, quản trị viên đã và sắp chuyển tổng cộng ${sum} điểm của ${name}; từ ${from} điểm trở lên cần hai người. Bạn chỉ gửi đề nghị, chưa điểm nào chuyển.` as const,
  whyYou: (sum: string, from: string) =>
    `Trong 24 giờ, bạn đã và sắp chuyển tổng cộng ${sum} điểm cho mọi tài khoản; từ ${from} điểm trở lên cần hai người. Bạn chỉ gửi đề nghị, chưa điểm nào chuyển.` as const,
  button: 'Gửi đề nghị',
  proposed: (name: string) => `Đã gửi đề nghị về ${name}, chờ người thứ hai xác nhận` as const,
  mark: 'Cần 2 người',
  marks: {
    player: 'Với yêu cầu này, tổng 24 giờ của người chơi đến ngưỡng: duyệt là gửi đề nghị cho người thứ hai.',
    admin: 'Với yêu cầu này, tổng 24 giờ của bạn đến ngưỡng: duyệt là gửi đề nghị cho người thứ hai.',
  },
  waiting: 'Chờ người thứ hai',
  waitingFor: (by: string, until: string) => `${by} đề nghị, chờ xác nhận đến ${until}` as const,
} as const
