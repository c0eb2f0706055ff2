/** Texts about changed messages that are needed before act-texts.ts has loaded (docs/rules.md §7.15). */
export const changedTexts = {
  edited: 'đã sửa',
  save: 'Lưu tin nhắn đã sửa',
  editFailed: 'Không thể sửa tin nhắn.',
  retracted: 'Tin nhắn đã thu hồi',
} as const
