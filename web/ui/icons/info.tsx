import { icon } from '../icon.tsx'

export const Info = icon(<path d="M12 16v-4M12 8h.01" />, <circle cx="12" cy="12" r="10" />)
