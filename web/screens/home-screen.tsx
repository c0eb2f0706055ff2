import { use } from 'react'
import { usePublicConfig } from '#web/features/identity/public-config.ts'
import { useMe } from '#web/features/identity/use-me.ts'
import { About } from '#web/features/landing/about.tsx'
import { Contact } from '#web/features/landing/contact.tsx'
import { PromoLine } from '#web/features/landing/promo-line.tsx'
import { Services } from '#web/features/landing/services.tsx'
import { WelcomeBanner } from '#web/features/landing/welcome-banner.tsx'
import { useFreshBalance } from '#web/features/wallet/balance.ts'
import { Screen, ScreenTools } from '#web/layout/screen.tsx'
import { afterDrawing, useLazyPart } from '#web/platform/lazy-part.ts'
import { screenTitles } from '#web/platform/texts.ts'
import { PlayMoneyLine } from '#web/parts/play-money-line.tsx'

const loadBets = afterDrawing(() => import('#web/features/game/home-bets.tsx'))

export function HomeScreen() {
  const me = useMe()
  const tools = use(ScreenTools)
  useFreshBalance()
  const contact = usePublicConfig()
  const { part: bets } = useLazyPart(loadBets)
  return (
    <Screen title={screenTitles.home} isTitleHidden className="gap-5 pt-3">
      <WelcomeBanner
        username={me.username}
        balanceMinor={me.balanceMinor}
        corner={tools}
        drawBets={bets?.drawOwnBets}
      />
      <PromoLine />
      <Services />
      <About />
      <Contact contact={contact} />
      <PlayMoneyLine />
    </Screen>
  )
}
