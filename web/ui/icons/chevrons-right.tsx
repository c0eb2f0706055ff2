import { icon } from '../icon.tsx'

export const ChevronsRight = icon(<path d="m6 17 5-5-5-5" />, <path d="m13 17 5-5-5-5" />)
