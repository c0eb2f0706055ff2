import { icon } from '../icon.tsx'

export const Clock = icon(<path d="M12 6v6l4 2" />, <circle cx="12" cy="12" r="10" />)
