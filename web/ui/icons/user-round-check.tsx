import { icon } from '../icon.tsx'

export const UserRoundCheck = icon(<path d="M2 21a8 8 0 0 1 13.292-6M16 19l2 2 4-4" />, <circle cx="10" cy="8" r="5" />)
