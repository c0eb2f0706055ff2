import { icon } from '../icon.tsx'

export const WalletMinimal = icon(
  <path d="M17 14h.01M7 7h12a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h14" />,
)
