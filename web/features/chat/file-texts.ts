import * as sentences from '#contract/sentences.ts'
import { formatCount } from '#web/platform/formats.ts'

const megabyte = 1024 * 1024

/** Texts about files that are chosen for a message, and about PDFs in messages (spec §5.4; docs/rules.md §7.7). */
export const fileTexts = {
  imageTypeRefused: sentences.IMAGE_TYPE,
  tooLarge: sentences.IMAGE_TOO_LARGE,
  attached: 'Tệp sẽ gửi',
  remove: 'Bỏ tệp này',
  download: 'Tải xuống',
  downloadOf: (name: string) => `Tải xuống ${name}` as const,
  downloadFailed: 'Không thể tải tệp xuống. Vui lòng thử lại.',
  uploading: (percent: string) => `Đang tải lên ${percent}%` as const,
  /** Formats a size below one MB in whole KB, and a larger size in MB with one decimal. */
  size: (bytes: number) =>
    bytes < megabyte
      ? (`${formatCount(Math.ceil(bytes / 1024))} KB` as const)
      : (`${(bytes / megabyte).toFixed(1)} MB` as const),
} as const
