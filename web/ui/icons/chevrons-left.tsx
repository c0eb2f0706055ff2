import { icon } from '../icon.tsx'

export const ChevronsLeft = icon(<path d="m11 17-5-5 5-5" />, <path d="m18 17-5-5 5-5" />)
