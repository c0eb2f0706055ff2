import { Lock } from 'lucide-react'
import { commonTexts } from '#web/platform/texts.ts'
import { pausedAccountTexts } from './layout-texts.ts'
import { Button } from '#web/ui/button.tsx'
import { Screen } from './screen.tsx'

export type PausedAccountProps = {
  /** The support contact (rules §4) from the public configuration; absent while unknown. */
  readonly supportContact?: string | undefined
}

/** The blocking screen of a paused account (spec §2, §8). */
export function PausedAccount({ supportContact }: PausedAccountProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <Screen title={pausedAccountTexts.title} isTitleHidden className="items-center justify-center text-center">
        <Lock aria-hidden size={40} strokeWidth={1.4} className="text-down" />
        <p aria-hidden className="text-lg font-semibold">
          {pausedAccountTexts.title}
        </p>
        <p className="max-w-[42ch] text-ink-2">{pausedAccountTexts.message}</p>
        {supportContact !== undefined && supportContact !== '' && <p className="font-medium">{supportContact}</p>}
        <Button onClick={() => globalThis.location.reload()} className="mt-1">
          {commonTexts.reloadPage}
        </Button>
        <p className="max-w-[42ch] text-xs text-ink-3">{pausedAccountTexts.footerHint}</p>
      </Screen>
    </div>
  )
}
