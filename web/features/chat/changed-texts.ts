/** The texts about changed messages while the acts on them are not loaded yet (docs/rules.md §7.15). */
export const changedTexts = {
  edited: 'đã sửa',
  save: 'Lưu tin nhắn đã sửa',
  editFailed: 'Không thể sửa tin nhắn.',
  retracted: 'Tin nhắn đã thu hồi',
} as const
