import { icon } from '../icon.tsx'

export const Clock3 = icon(<path d="M12 6v6h4" />, <circle cx="12" cy="12" r="10" />)
