import { icon } from '../icon.tsx'

export const ArrowUpFromLine = icon(<path d="M18 9l-6-6-6 6M12 3v14M5 21h14" />)
