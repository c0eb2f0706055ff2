import { icon } from '../icon.tsx'

export const PanelLeft = icon(<path d="M9 3v18" />, <rect width="18" height="18" x="3" y="3" rx="2" />)
