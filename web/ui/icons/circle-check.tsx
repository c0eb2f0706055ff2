import { icon } from '../icon.tsx'

export const CircleCheck = icon(<path d="M16 9l-5.5 5.5L8 12" />, <circle cx="12" cy="12" r="10" />)
