import { Button, IconButton } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { BellRing } from '#web/ui/icons/bell-ring.tsx'
import { X } from '#web/ui/icons/x.tsx'
import { toast } from '#web/ui/toast.tsx'
import { pushTexts } from './push-texts.ts'
import { usePush } from './use-push.ts'

type PushOfferProps = {
  readonly about: keyof typeof pushTexts.offers
  readonly className?: string
}

/** Offers pushes to a user who just filed a request or wrote to customer care (rules §6.9). */
export function PushOffer({ about, className }: PushOfferProps) {
  const { push, permission, switching, save } = usePush(() => toast.success(pushTexts.turnedOn))
  const canOffer = permission === 'not-asked' || permission === 'granted'
  if (push === undefined || push.isOn || !push.mayOffer || !canOffer) return null
  return (
    <Card aria-label={pushTexts.title} className={classNames('py-2!', className)}>
      <div className="flex items-center gap-3">
        <BellRing aria-hidden size={18} strokeWidth={1.8} className="shrink-0 text-gold" />
        <p className="min-w-0 flex-1 text-sm">
          <span className="block font-medium">{pushTexts.offers[about]}</span>
          <span className="block text-xs text-ink-3">{pushTexts.offerHint}</span>
        </p>
        <Button size="sm" variant="outline" isBusy={switching.isBusy} onClick={() => switching.start(true)}>
          {pushTexts.offerYes}
        </Button>
        <IconButton label={pushTexts.offerNever} onClick={() => save({ mayOffer: false })} className="-mx-2 text-ink-3">
          <X aria-hidden size={18} strokeWidth={1.8} />
        </IconButton>
      </div>
      <p role="status" className="text-sm text-down empty:hidden">
        {switching.failure}
      </p>
    </Card>
  )
}
