import { icon } from '../icon.tsx'

export const PanelRight = icon(<path d="M15 3v18" />, <rect width="18" height="18" x="3" y="3" rx="2" />)
