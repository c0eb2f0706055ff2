export const README = `Kim Phiên – dữ liệu của bạn
============================

Trò chơi mô phỏng bằng điểm ảo, không quy đổi thành tiền.

Mỗi phần có hai tệp cùng nội dung: .json cho máy đọc, .csv cho bảng tính.

  profile   Tài khoản
  banks     Ngân hàng đã liên kết
  limits    Giới hạn chơi bạn tự đặt
  bets      Lệnh: cả những lệnh đã ẩn khỏi danh sách của nhân viên
  disputes  Khiếu nại lệnh, với câu trả lời và muối để đối chiếu với sổ mở
  requests  Yêu cầu nạp, rút
  ledger    Sổ điểm: cộng mọi thay đổi được đúng số dư trong profile
  messages  Tin nhắn với CSKH của cả hai bên, cả những cuộc bạn đã xoá phía mình
  notices   Thông báo có bản ghi riêng; các thông báo khác lấy từ lệnh, yêu cầu, sổ điểm, tin nhắn
  sessions  Các lần đăng nhập: địa chỉ và trình duyệt, lưu đến 90 ngày sau khi hết hạn

Số dư, lệnh và sổ điểm là của cùng một thời điểm, lúc bạn bấm tải. Thời gian trong .json là
UTC, trong .csv là giờ Việt Nam. Ảnh đã gửi được ghi bằng địa chỉ; tải ảnh trong cuộc trò chuyện.

Không có trong đây: mật khẩu (chúng tôi chỉ giữ một dạng không đọc ngược được), khoá của phiên
đăng nhập và của thông báo đẩy, và nhật ký việc làm của nhân viên.
`
