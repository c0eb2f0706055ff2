import type { ComponentProps } from 'react'
import { PlayMoneyLine } from '#web/parts/play-money-line.tsx'
import { BackLink } from './back-link.tsx'
import { Screen, type ScreenProps } from './screen.tsx'

export type SubScreenProps = Pick<ScreenProps, 'title' | 'children'> & {
  readonly back: ComponentProps<typeof BackLink>['fallback']
}

export const SubScreen = ({ title, back, children }: SubScreenProps) => (
  <Screen title={title} before={<BackLink fallback={back} />}>
    {children}
    <PlayMoneyLine />
  </Screen>
)
