import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { commonTexts, playMoneyTexts, screenTitles } from '#web/platform/texts.ts'
import { Card } from '#web/ui/card.tsx'
import { contentId } from './screen.tsx'

export type SignInFrameProps = {
  readonly title: string
  readonly children: ReactNode
  readonly footer: ReactNode
}

export function SignInFrame({ title, children, footer }: SignInFrameProps) {
  return (
    <main
      id={contentId}
      tabIndex={-1}
      className="mx-auto flex min-h-dvh w-full max-w-[26rem] flex-col gap-5 px-gutter pt-6 pb-4 [@media(min-height:760px)]:pt-[8dvh]"
    >
      <header className="flex flex-col items-center gap-2 text-center">
        <img src="/icon.svg" alt="" width={48} height={48} className="rounded-s" />
        <p className="text-xl font-semibold tracking-tight">{commonTexts.productName}</p>
        <p className="text-sm text-balance text-ink-2">{playMoneyTexts.everywhere}</p>
      </header>
      <Card className="flex flex-col gap-4">
        <h1 tabIndex={-1} className="text-lg font-semibold">
          {title}
        </h1>
        {children}
      </Card>
      {footer}
      <Link to="/so-mo" className="flex min-h-target items-center self-center text-sm font-medium text-gold">
        {screenTitles.book}
      </Link>
    </main>
  )
}
