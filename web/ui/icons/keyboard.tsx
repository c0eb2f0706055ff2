import { icon } from '../icon.tsx'

export const Keyboard = icon(
  <path d="M10 8h.01M12 12h.01M14 8h.01M16 12h.01M18 8h.01M6 8h.01M7 16h10M8 12h.01" />,
  <rect width="20" height="16" x="2" y="4" rx="2" />,
)
