import { icon } from '../icon.tsx'

export const ChevronsLeft = icon(<path d="M11 17l-5-5 5-5M18 17l-5-5 5-5" />)
