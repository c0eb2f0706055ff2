const FIRST_NAMES =
  'an bao binh chau cuong dung giang ha hai hanh hieu hoa hung huong khanh khoa lam linh long mai nam nga ' +
  'ngoc nhung phong phuc quan quynh son tam thao thu trang tuan tung van viet vy yen'
export const firstNames = FIRST_NAMES.split(' ')

export const questions = [
  'Cho mình hỏi phiên 60s tính giá vào ở giây nào vậy?',
  'Lệnh của mình được hoàn điểm là vì sao ạ?',
  'Mình muốn đặt giới hạn điểm mỗi ngày thì vào đâu?',
  'Yêu cầu nạp điểm của mình gửi từ sáng, nhờ bạn xem giúp.',
  'Giá mô phỏng khác gì giá vàng thật?',
  'Mình nhập nhầm tên ngân hàng, nhờ bạn sửa giúp.',
  'Vì sao có hai mức giá trong một lệnh vậy bạn?',
  'Mình muốn tạm nghỉ một tuần thì làm thế nào?',
]

export const answers = [
  'Chào bạn, giá vào là giá của giây kế tiếp sau khi lệnh được nhận.',
  'Giá vào và giá ra bằng nhau nên lệnh được hoàn điểm, bạn nhé.',
  'Bạn vào Tài khoản, mục Giới hạn chơi để đặt giới hạn ngày.',
  'Mình đã xem, yêu cầu của bạn sẽ được xử lý trong ít phút nữa.',
  'Giá mô phỏng được tính từ một dãy đã cam kết trước, bạn có thể tự kiểm tra sau ngày đó.',
  'Mình đã sửa xong, bạn kiểm tra lại giúp mình.',
]

export const thanks = ['Cảm ơn bạn nhiều!', 'Mình hiểu rồi, cảm ơn.', 'Được rồi, cảm ơn bạn.']

export const memos = ['Nạp thử', 'Bổ sung điểm', 'Nạp cho tuần này']
export const withdrawalNotes = ['Rút bớt điểm', 'Rút thử', 'Không chơi nữa trong tuần']
export const rejections = ['Nội dung chưa rõ, vui lòng gửi lại', 'Tên chủ tài khoản chưa khớp']
export const adjustments = ['Bù lệnh lỗi ngày hôm qua', 'Tặng điểm dùng thử tính năng mới']
export const bankNames = ['Vietcombank', 'VietinBank', 'BIDV', 'Techcombank', 'MBBank', 'ACB']
