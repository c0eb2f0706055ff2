/** Texts of the help (rules §7.10). The answers below have to agree with docs/rules.md. */
export const helpTexts = {
  lead: 'Tìm câu trả lời ở đây trước; nếu chưa thấy, bộ phận chăm sóc khách hàng sẽ trả lời bạn.',
  search: 'Tìm trong trợ giúp',
  need: 'Bạn cần giúp gì?',
  near: 'Có thể đây là câu trả lời:',
  askAnyway: 'Gửi cho CSKH',
  found: (count: string) => `${count} câu trả lời` as const,
  nothing: (text: string) => `Chưa có câu trả lời nào cho “${text}”.` as const,
  clear: 'Xoá tìm kiếm',
  toBook: 'Sổ mở: ai cũng kiểm chứng được kết quả',
} as const

export type HelpQuestion = {
  /** The hash of the question's address (`/tro-giup#…`). Other screens link to the id, so it must not change. */
  readonly id: string
  readonly question: string
  readonly answer: readonly string[]
}

export type HelpTopic = { readonly title: string; readonly questions: readonly HelpQuestion[] }

export const helpTopics: readonly HelpTopic[] = [
  {
    title: 'Lệnh và kết quả',
    questions: [
      {
        id: 'ket-qua',
        question: 'Lệnh của tôi thắng hay thua dựa vào đâu?',
        answer: [
          'Giá vào là giá vàng đầu tiên được báo sau khi máy chủ nhận lệnh. Giá ra là giá đúng lúc phiên kết thúc.',
          'Mua ▲ thắng khi giá ra cao hơn giá vào. Bán ▼ thắng khi giá ra thấp hơn giá vào.',
          'Thắng thì được thêm tỷ lệ × số điểm đặt, thua thì mất đúng chừng đó. Tỷ lệ là 5% (30s), 7% (60s), 9% (90s) và 12% (120s).',
          'Mỗi lệnh ghi rõ điều gì quyết định nó: giá vàng, quản trị viên đặt kết quả, hay tài khoản minh hoạ. Điều này được chốt lúc nhận lệnh và không đổi nữa.',
        ],
      },
      {
        id: 'hai-gia',
        question: 'Vì sao màn hình có hai giá: giá mở và giá vào?',
        answer: [
          'Giá mở là giá lúc phiên bắt đầu, chung cho mọi người. Giá vào là giá của riêng lệnh bạn, ngay sau khi lệnh được nhận.',
          'Lệnh luôn so với giá vào. Nếu so với giá mở, người đặt ở giây cuối chỉ cần nhìn giá đang lên hay xuống là gần như luôn thắng, như vậy không công bằng.',
          'Vì vậy một phiên có thể tăng so với giá mở mà lệnh Mua đặt muộn vẫn thua.',
        ],
      },
      {
        id: 'hoa',
        question: 'Giá ra bằng đúng giá vào thì sao?',
        answer: ['Hai giá bằng nhau là hoà. Toàn bộ số điểm đã đặt được trả lại, không thắng và không thua.'],
      },
      {
        id: 'hoan-diem',
        question: 'Vì sao lệnh của tôi được hoàn điểm?',
        answer: [
          'Có ba lý do, và lệnh luôn ghi rõ lý do nào: giá ra bằng giá vào; thiếu giá vào hoặc giá ra vì nguồn giá bị gián đoạn; quản trị viên xoá phiên khi phiên còn ít nhất 10 giây.',
          'Khi hoàn điểm, bạn nhận lại toàn bộ số điểm đã đặt. Lịch sử số dư có một dòng cho việc này.',
        ],
      },
      {
        id: 'xem-lai',
        question: 'Tôi kiểm tra lại một lệnh ở đâu?',
        answer: [
          'Mở Tài khoản → Lịch sử đặt lệnh rồi chọn lệnh. Bạn thấy từng giây giá, giá vào, giá ra và điều quyết định kết quả.',
          'Mọi thay đổi số dư nằm ở Tài khoản → Lịch sử số dư, kèm lý do và người thực hiện.',
        ],
      },
      {
        id: 'khieu-nai',
        question: 'Tôi thấy kết quả một lệnh sai thì làm gì?',
        answer: [
          'Mở Tài khoản → Lịch sử đặt lệnh, chọn lệnh rồi bấm “Khiếu nại lệnh này”, trong vòng 30 ngày sau khi có kết quả. Mỗi lệnh khiếu nại được một lần, viết một câu là đủ.',
          'Khiếu nại nằm trong CSKH cùng biên nhận của lệnh. Nhân viên trả lời bằng một câu: chấp nhận thì cộng điểm bù vào số dư, không chấp nhận thì nói vì sao.',
          'Lúc bạn gửi và lúc được trả lời đều được ghi vào sổ mở, nên ai cũng thấy một khiếu nại đã chờ bao lâu. Câu bạn viết thì chỉ bạn và nhân viên đọc được.',
        ],
      },
      {
        id: 'mat-mang',
        question: 'Mất mạng khi đang có lệnh thì sao?',
        answer: [
          'Lệnh đã được nhận vẫn chạy trên máy chủ và được chốt đúng giờ, dù bạn đóng ứng dụng hay mất mạng.',
          'Khi có mạng lại, kết quả hiện ra. Nếu lúc bấm mà mạng hỏng, bấm lại không làm lệnh bị đặt hai lần.',
        ],
      },
    ],
  },
  {
    title: 'Giá vàng',
    questions: [
      {
        id: 'nguon-gia',
        question: 'Giá lấy từ đâu? “Giá mô phỏng” là gì?',
        answer: [
          'Tên nguồn giá luôn ghi cạnh giá. Mỗi phiên chỉ dùng một nguồn, chốt từ lúc phiên bắt đầu.',
          'Giá mô phỏng do máy chủ tính từ một con số bí mật của từng ngày. Mã kiểm của con số được công bố trước 8 ngày, chính con số được công bố sau khi hết ngày, nên ai cũng tính lại được.',
          'Bên vận hành có thể biết trước đường giá mô phỏng. Bạn nên biết điều này trước khi chơi.',
        ],
      },
      {
        id: 'thi-truong-dong-cua',
        question: 'Thị trường vàng đóng cửa thì có chơi được không?',
        answer: ['Được. Khi thị trường vàng đóng cửa, phiên dùng giá mô phỏng và màn hình có ghi rõ.'],
      },
      {
        id: 'khong-dat-duoc',
        question: 'Vì sao có lúc không đặt lệnh được?',
        answer: [
          'Dòng chữ dưới hai nút luôn nói lý do: phiên sắp kết thúc, bạn đang có một lệnh, số dư không đủ, giá đang gián đoạn, đồng hồ máy chủ đang được kiểm tra, bạn đang tạm nghỉ, hoặc đã chạm giới hạn của mình.',
        ],
      },
    ],
  },
  {
    title: 'Sổ mở',
    questions: [
      {
        id: 'so-mo',
        question: 'Làm sao biết kết quả không bị sửa?',
        answer: [
          'Phiên, lệnh, giá từng giây và kết quả được ghi ngay vào một cuốn sổ công khai, chỉ viết thêm, không xoá được. Sổ được ký và công bố mỗi vài giây, nên ai sửa quá khứ sẽ bị phát hiện.',
          'Trang Tự kiểm chứng tải sổ về thiết bị của bạn và tính lại mọi kết quả, không cần tài khoản.',
          'Sổ cũng có những điều không cho thấy được. Trang Sổ mở kể ra từng điều.',
        ],
      },
    ],
  },
  {
    title: 'Nhân viên được làm gì',
    questions: [
      {
        id: 'nhan-vien',
        question: 'Nhân viên có thể đổi kết quả của tôi không?',
        answer: [
          'Không, với lệnh đã được nhận. Nhân viên có thể đặt kết quả của một phiên khi phiên còn ít nhất 10 giây, nhưng chỉ những lệnh nhận sau thông báo mới theo kết quả đó, và màn hình nói trước khi bạn đặt.',
          'Thông báo kèm một mã kiểm. Sau khi phiên kết thúc, kết quả được công bố để ai cũng đối chiếu được với mã ấy.',
          'Nhân viên có thể xoá một phiên đang chạy; mọi lệnh trong phiên được hoàn điểm.',
        ],
      },
      {
        id: 'tai-khoan-minh-hoa',
        question: '“Tài khoản minh hoạ” là gì?',
        answer: [
          'Là tài khoản có kết quả đặt sẵn để trình diễn. Màn hình báo trước khi đặt, và những lệnh ấy đứng ngoài mọi thống kê.',
        ],
      },
      {
        id: 'xem-du-lieu',
        question: 'Nhân viên thấy gì của tôi?',
        answer: [
          'Quản trị viên thấy tài khoản, số dư, lệnh, yêu cầu và ngân hàng đã liên kết. Không ai thấy được mật khẩu của bạn.',
          'Mỗi lần một quản trị viên đọc cuộc trò chuyện của người khác hoặc mở hồ sơ khách hàng đều được ghi vào nhật ký quản trị.',
        ],
      },
    ],
  },
  {
    title: 'Điểm, nạp và rút',
    questions: [
      {
        id: 'diem',
        question: 'Điểm có phải là tiền không?',
        answer: [
          'Không. Đây là trò chơi mô phỏng bằng điểm ảo. Điểm không mua được và không đổi được thành tiền.',
          'Nhân viên không bao giờ đề nghị chuyển tiền thật. Nếu có ai đề nghị, đừng làm theo và hãy báo cho CSKH.',
        ],
      },
      {
        id: 'nap-rut',
        question: 'Yêu cầu nạp và rút diễn ra thế nào?',
        answer: [
          'Yêu cầu nạp cộng điểm khi nhân viên duyệt. Yêu cầu rút giữ số điểm ngay khi gửi, lấy đi khi được duyệt, trả lại khi không duyệt hoặc khi bạn huỷ.',
          'Bạn huỷ được yêu cầu khi nó còn “Đang duyệt”. Nhiều nhất 20 yêu cầu chờ duyệt cùng lúc và 60 yêu cầu mỗi giờ.',
          'Ngân hàng liên kết chỉ để mô phỏng: không nhập thông tin tài khoản thật.',
        ],
      },
      {
        id: 'het-diem',
        question: 'Hết điểm thì sao?',
        answer: [
          'Khi tổng số điểm của bạn dưới 10, bạn có thể nhận lại đủ số điểm khởi đầu, mỗi ngày một lần (theo giờ Việt Nam), trừ khi bạn đang tạm nghỉ hoặc đã chạm giới hạn thua của mình.',
        ],
      },
    ],
  },
  {
    title: 'Chơi có chừng mực',
    questions: [
      {
        id: 'gioi-han',
        question: 'Tôi tự đặt giới hạn cho mình thế nào?',
        answer: [
          'Mở Tài khoản → Giới hạn chơi: tổng điểm đặt mỗi ngày, số điểm thua mỗi ngày, nhắc nghỉ và tạm nghỉ.',
          'Hạ giới hạn có hiệu lực ngay, nâng giới hạn có hiệu lực sau 24 giờ. Thời gian tạm nghỉ không ai rút ngắn được, kể cả nhân viên.',
        ],
      },
      {
        id: 'may-rui',
        question: 'Có cách nào để thắng chắc không?',
        answer: [
          'Không. Giá lên hay xuống trong vài chục giây gần như ngẫu nhiên, và kết quả các phiên trước không cho biết phiên sau.',
          'Thắng và thua cùng một tỷ lệ, không thu phí, nên về lâu dài không có lợi thế cho bên nào.',
        ],
      },
    ],
  },
  {
    title: 'Tài khoản và dữ liệu',
    questions: [
      {
        id: 'dieu-khoan',
        question: 'Điều khoản chơi',
        answer: [
          'Kim Phiên là trò chơi mô phỏng. Điểm không có giá trị quy đổi, không phải khoản đầu tư. Không ai được hứa trước kết quả nào.',
          'Mỗi người dùng tài khoản của chính mình. Tài khoản quản trị không chơi.',
          'Quản trị viên có thể đóng băng một tài khoản; lệnh đang mở vẫn được chốt như thường và dữ liệu của bạn vẫn xem được.',
        ],
      },
      {
        id: 'du-lieu',
        question: 'Kim Phiên lưu những gì về tôi?',
        answer: [
          'Tên tài khoản, mật khẩu ở dạng băm (không đọc ngược được), lệnh, yêu cầu, lịch sử số dư, ngân hàng bạn tự nhập, tin nhắn, hình ảnh và tệp gửi CSKH, giới hạn bạn tự đặt.',
          'Mỗi lần đăng nhập lưu địa chỉ mạng và tên trình duyệt để bảo vệ tài khoản; chúng bị xoá 90 ngày sau khi lần đăng nhập ấy hết hạn.',
          'Trên thiết bị này: trạng thái đăng nhập và lựa chọn hiển thị. Đăng xuất sẽ xoá những gì của bạn trên thiết bị.',
          'Lệnh, yêu cầu và lịch sử số dư không ai sửa hay xoá được, vì chúng là sổ sách.',
        ],
      },
      {
        id: 'quen-mat-khau',
        question: 'Tôi quên mật khẩu',
        answer: [
          'Liên hệ quản trị viên theo địa chỉ ở màn hình đăng nhập. Mật khẩu mới do nhân viên đặt chỉ dùng để bạn vào và tự đổi lại.',
          'Không gửi mật khẩu hay mã OTP cho bất kỳ ai, kể cả nhân viên.',
        ],
      },
      {
        id: 'tai-khoan-bi-khoa',
        question: 'Tài khoản của tôi bị vô hiệu hoá',
        answer: ['Bạn vẫn đăng nhập và xem được dữ liệu của mình. Liên hệ địa chỉ ghi trên màn hình để được hỗ trợ.'],
      },
    ],
  },
]
