import { icon } from '../icon.tsx'

export const Smartphone = icon(<path d="M12 18h.01" />, <rect width="14" height="20" x="5" y="2" rx="2" ry="2" />)
