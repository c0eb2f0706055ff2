export const careFiguresTexts = {
  volume: 'Số việc theo ngày',
  cases: 'Số việc',
  done: 'Đã xong',
  volumeReading: (cases: string, done: string) => `${cases} việc, ${done} đã xong.` as const,
  helpedReading: (good: string, rated: string, share: string) =>
    `${good} trên ${rated} người trả lời nói đã được giúp (${share}).` as const,
  noAnswers: 'Chưa ai trả lời câu hỏi “Được giúp chưa?”.',
  reopenedReading: (reopened: string, share: string) =>
    `${reopened} việc đã xong được hỏi lại trong 24 giờ (${share}).` as const,

  firstReply: 'Trả lời lần đầu',
  resolution: 'Từ lúc hỏi đến lúc xong',
  resolutionReading: (median: string, p90: string) => `Một nửa xong trong ${median}, 9 trên 10 trong ${p90}.` as const,

  byTopic: 'Theo chủ đề',
  topic: 'Chủ đề',
  byAdmin: 'Theo quản trị viên',
  admin: 'Quản trị viên',
  adminReading: 'Trả lời lần đầu tính cho người trả lời; các cột sau tính cho người bấm “Xong”.',
  replied: 'Đã trả lời',
  replyMedian: 'Trả lời: một nửa trong',
  replyP90: 'Trả lời: 9 trên 10 trong',
  doneMedian: 'Xong: một nửa trong',
  doneP90: 'Xong: 9 trên 10 trong',
  reopened: 'Hỏi lại',
  helped: 'Được giúp',
  rated: 'Số người trả lời',
} as const
