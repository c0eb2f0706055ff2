import { BellRing } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { toast } from '#web/ui/toast.tsx'
import { pushTexts } from './push-texts.ts'
import { usePush } from './use-push.ts'

/**
 * Offers pushes to whoever now waits for an answer: after filing a request or writing to care, never on arrival (rules
 * §6.9). Renders nothing where pushes are on, impossible, or where the user wants no offer any more.
 */
export function PushOffer({ className }: { readonly className?: string }) {
  const { query, permission, switchTo, isSwitching, failure, save } = usePush(() => toast.success(pushTexts.turnedOn))
  const push = query.data
  const canOffer = permission === 'not-asked' || permission === 'granted'
  if (push === undefined || push.isOn || !push.mayOffer || !canOffer) return null
  return (
    <Card aria-label={pushTexts.title} className={className}>
      <div className="flex items-start gap-3">
        <BellRing aria-hidden size={18} strokeWidth={1.8} className="mt-0.5 shrink-0 text-gold" />
        <p className="min-w-0 text-sm">
          <span className="block font-medium">{pushTexts.offer}</span>
          <span className="block text-xs text-ink-3">{pushTexts.offerHint}</span>
        </p>
      </div>
      <p role="status" className="text-sm text-down empty:hidden">
        {failure}
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button variant="outline" isBusy={isSwitching} onClick={() => switchTo(true)} className="flex-1">
          {pushTexts.offerYes}
        </Button>
        <Button variant="ghost" onClick={() => void save({ mayOffer: false })}>
          {pushTexts.offerNever}
        </Button>
      </div>
    </Card>
  )
}
