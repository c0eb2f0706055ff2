import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import type { IconComponent } from './icon.tsx'
import { CircleAlert } from './icons/circle-alert.tsx'
import { Info } from './icons/info.tsx'
import { TriangleAlert } from './icons/triangle-alert.tsx'

export type BannerTone = 'info' | 'warn' | 'danger'

const tones: Record<BannerTone, { look: string; icon: IconComponent }> = {
  info: { look: 'bg-info-soft text-info', icon: Info },
  warn: { look: 'bg-warn-soft text-warn', icon: TriangleAlert },
  danger: { look: 'bg-down-soft text-down', icon: CircleAlert },
}

export type BannerProps = {
  readonly tone: BannerTone
  readonly children: ReactNode
  readonly action?: ReactNode
  /** If true, screen readers announce the banner: `info` at their next pause, other tones at once. */
  readonly isLive?: boolean
  readonly className?: string
}

export function Banner({ tone, children, action, isLive = false, className }: BannerProps) {
  const { look, icon: Icon } = tones[tone]
  return (
    <div
      role={isLive ? (tone === 'info' ? 'status' : 'alert') : undefined}
      className={classNames('flex items-start gap-2 rounded-s px-3 py-2 text-sm font-medium', look, className)}
    >
      <Icon aria-hidden size={18} strokeWidth={1.8} className="mt-px shrink-0" />
      <div className="min-w-0 flex-1">{children}</div>
      {action}
    </div>
  )
}
