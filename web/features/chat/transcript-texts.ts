/** The texts for the transcript of a conversation (docs/rules.md §7.17). */
export const transcriptTexts = {
  save: 'Tải bản ghi',
  audited: 'Cả cuộc trò chuyện trong một tệp văn bản. Việc tải được ghi vào nhật ký.',
  failed: 'Chưa tải được bản ghi.',
} as const
