/** Texts of "Thống kê": a player's figures, with sentences that explain chance and promise nothing (rules §6.8, §8). */
export const statisticsTexts = {
  range: 'Khoảng thời gian',
  ranges: { week: '7 ngày', month: '30 ngày', quarter: '90 ngày', all: 'Tất cả', own: 'Tự chọn' },
  from: 'Từ ngày',
  to: 'Đến ngày',
  datesTurned: 'Từ ngày phải trước hoặc bằng đến ngày',
  pickDates: 'Chọn ngày đầu và ngày cuối.',
  days: (from: string, to: string) => `${from} – ${to}` as const,
  csv: 'Tải CSV',
  print: 'In',
  printed: (at: string) => `Thống kê của bạn, in lúc ${at}` as const,
  empty: 'Không có lệnh nào có kết quả theo giá trong khoảng này.',

  summary: 'Tổng kết',
  net: 'Kết quả ròng',
  ended: (bets: string, won: string, lost: string) =>
    `${bets} lệnh có kết quả theo giá: ${won} thắng, ${lost} thua.` as const,
  endedFew: (bets: string, won: string, lost: string) =>
    `${bets} lệnh có kết quả theo giá: ${won} thắng, ${lost} thua, quá ít để nói lên điều gì.` as const,
  voided: (bets: string) => `${bets} lệnh được hoàn điểm.` as const,
  staked: (amount: string) => `Tổng điểm đặt: ${amount}.` as const,
  leftOut: (bets: string) =>
    `Tính riêng: ${bets} lệnh do quản trị viên hoặc tài khoản minh hoạ quyết định, chỉ có trong số dư, không có trong các số khác.` as const,
  openApart: 'Lệnh đang chạy chưa được tính. Ngày tính từ 00:00 đến 24:00 giờ Việt Nam.',

  balance: 'Số dư theo thời gian',
  balanceBefore: (amount: string) => `Trước đó · ${amount}` as const,
  balanceMeans: (from: string, to: string) =>
    `Số dư đi từ ${from} đến ${to} điểm. Đường này gồm cả nạp, rút và điều chỉnh, không chỉ các lệnh.` as const,
  lowestDayEnd: (amount: string) => `Thấp nhất cuối ngày ${amount}` as const,
  highestDayEnd: (amount: string) => `Cao nhất cuối ngày ${amount}` as const,
  noBalance: 'Chưa có thay đổi số dư nào trong khoảng này.',

  netByDay: 'Kết quả ròng từng ngày',
  netByWeek: 'Kết quả ròng từng tuần',
  netByMonth: 'Kết quả ròng từng tháng',
  netMeans: (up: string, down: string) =>
    `${up} ngày dương, ${down} ngày âm. Kết quả của một ngày không cho biết kết quả của ngày sau.` as const,

  share: 'Tỷ lệ thắng cạnh đồng xu',
  shareOf: (percent: string, won: string, decided: string) => `${percent} · ${won}/${decided}` as const,
  shareFits: (percent: string, low: string, high: string) =>
    `Bạn thắng ${percent} số lệnh. Với số lệnh này, khả năng thắng mỗi lệnh có thể là từ ${low} đến ${high}.` as const,
  shareWithin: (low: string, high: string) =>
    `Tỷ lệ này nằm trong khoảng mà tung đồng xu cũng cho (${low} đến ${high}).` as const,
  shareOutside: (low: string, high: string) =>
    `Tung đồng xu thường cho từ ${low} đến ${high}; cứ 20 lần đếm thì khoảng 1 lần ra ngoài khoảng đó chỉ do ngẫu nhiên. Tỷ lệ này không cho biết kết quả của lệnh sau.` as const,
  shareFew: (bets: string) => `Mới có ${bets} lệnh có kết quả, quá ít để nói lên điều gì.` as const,
  shareNone: 'Chưa có lệnh nào thắng hoặc thua trong khoảng này.',
  allTypes: 'Tất cả',
  band: 'Đồng xu (95%)',
  interval: 'Khả năng thật có thể (95%)',
  yours: 'Của bạn',
  mean: 'Trung bình',

  stakes: 'Mức đặt sau khi thua và sau khi thắng',
  afterLoss: 'Sau khi thua',
  afterWin: 'Sau khi thắng',
  average: (amount: string) => `${amount} điểm` as const,
  stakesMean: (loss: string, win: string) =>
    `Trung bình bạn đặt ${loss} điểm sau khi thua và ${win} điểm sau khi thắng.` as const,
  stakesHigher: 'Đặt cao hơn sau khi thua không làm lệnh sau dễ thắng hơn, mà làm một lần thua nữa mất nhiều hơn.',
  stakesAlike: 'Kết quả của lệnh trước không làm thay đổi khả năng thắng của lệnh sau.',
  stakesFew: 'Cần ít nhất một lệnh sau khi thắng và một lệnh sau khi thua.',

  time: 'Thời gian chơi',
  timeMeans: (time: string, days: string) =>
    `Bạn đã chơi ${time} trong ${days} ngày có đặt lệnh, gồm cả các khoảng nghỉ tới 10 phút giữa hai lệnh.` as const,
  hoursMinutes: (hours: string, minutes: number) => `${hours} giờ ${minutes} phút` as const,
  minutes: (minutes: number) => `${minutes} phút` as const,
  underAMinute: 'dưới 1 phút',
  toLimits: 'Đặt giới hạn và nhắc nghỉ',

  runs: 'Thắng và thua liền nhau',
  wins: 'Thắng liền nhau',
  losses: 'Thua liền nhau',
  runsMean: (wins: string, losses: string) =>
    `Nhiều nhất ${wins} lệnh thắng liền nhau và ${losses} lệnh thua liền nhau.` as const,
  runsChance: (tosses: string, low: string, high: string, mean: string) =>
    `Tung đồng xu ${tosses} lần, một mặt ra liền nhau nhiều nhất thường từ ${low} đến ${high} lần, trung bình ${mean}.` as const,
  runsWithin: 'Cả hai đều là điều mà ngẫu nhiên cũng cho.',
  runsOutside: 'Ra ngoài khoảng đó vẫn có thể chỉ do ngẫu nhiên, và không cho biết kết quả của lệnh sau.',

  columns: {
    day: 'Ngày',
    bets: 'Lệnh',
    won: 'Thắng',
    lost: 'Thua',
    voided: 'Hoàn',
    staked: 'Điểm đặt',
    net: 'Ròng',
    time: 'Chơi (phút)',
    balance: 'Số dư cuối ngày',
    at: 'Lúc',
    after: 'Số dư',
    type: 'Loại phiên',
    share: 'Tỷ lệ',
    average: 'Trung bình',
    before: 'Lệnh trước',
    outcome: 'Kết quả',
  },
} as const
