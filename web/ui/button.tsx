import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { commonTexts } from '#web/platform/texts.ts'
import { classNames } from './class-names.ts'

/** `up` is for bets on a rise and for approvals, `down` for bets on a fall. */
export type ButtonVariant = 'primary' | 'outline' | 'up' | 'down' | 'danger' | 'ghost'

/** `xs` is for the back office, `lg` for the buttons that place a bet. */
export type ButtonSize = 'xs' | 'sm' | 'md' | 'lg'

const variants: Record<ButtonVariant, string> = {
  primary: 'bg-gold-fill text-on-gold hover:bg-gold-press active:bg-gold-press',
  outline: 'border border-control bg-surface text-ink hover:bg-surface-press active:bg-surface-press',
  up: 'bg-up-fill text-on-fill hover:bg-up-press active:bg-up-press',
  down: 'bg-down-fill text-on-fill hover:bg-down-press active:bg-down-press',
  danger: 'bg-down-fill text-on-fill hover:bg-down-press active:bg-down-press',
  ghost: 'bg-transparent text-ink hover:bg-surface-press active:bg-surface-press',
}

const sizes: Record<ButtonSize, string> = {
  xs: 'min-h-7 rounded-s px-2.5 text-xs',
  sm: 'min-h-9 rounded-s px-3 text-sm',
  md: 'min-h-target rounded-s px-4 text-sm',
  lg: 'min-h-15 rounded-m px-2 text-base',
}

export type ButtonLook = {
  readonly variant?: ButtonVariant
  readonly size?: ButtonSize
  readonly isWide?: boolean
}

export function buttonClass({ variant = 'primary', size = 'md', isWide = false }: ButtonLook = {}): string {
  return classNames(
    'relative inline-flex items-center justify-center gap-2 overflow-hidden py-1.5 text-center leading-tight font-semibold text-balance transition-colors select-none',
    'disabled:border disabled:border-line disabled:bg-surface-2 disabled:text-ink-3',
    'data-off:border data-off:border-line data-off:bg-surface-2 data-off:text-ink-3',
    variants[variant],
    sizes[size],
    isWide && 'w-full',
  )
}

export type ButtonProps = ButtonLook &
  Omit<ComponentProps<'button'>, 'children'> & {
    readonly children: ReactNode
    /** While true, presses do nothing. The button keeps its label, width and focus. */
    readonly isBusy?: boolean
    /** Like `disabled`, but the button keeps the focus. */
    readonly isOff?: boolean
  }

export function Button({
  variant,
  size,
  isWide,
  isBusy = false,
  isOff = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    // Enter in a field clicks the form's submit button, so `preventDefault` also prevents a submit by Enter.
    if (isBusy || isOff) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      type="button"
      {...rest}
      className={classNames(
        buttonClass({ ...(variant && { variant }), ...(size && { size }), ...(isWide && { isWide }) }),
        isBusy && 'cursor-progress',
        className,
      )}
      data-off={isOff ? '' : undefined}
      aria-disabled={isBusy || isOff || undefined}
      onClick={handleClick}
    >
      {children}
      {isBusy && (
        <>
          <span
            aria-hidden
            className="absolute inset-x-0 bottom-0 h-1 origin-left animate-await bg-current opacity-70"
          />
          <span className="sr-only">({commonTexts.working})</span>
        </>
      )}
    </button>
  )
}

export type IconButtonProps = Omit<ComponentProps<'button'>, 'children' | 'aria-label'> & {
  readonly label: string
  readonly children: ReactNode
}

export function IconButton({ label, className, children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      className={classNames(
        'grid size-target shrink-0 place-items-center rounded-s text-ink transition-colors hover:bg-surface-press disabled:text-ink-3',
        className,
      )}
    >
      {children}
    </button>
  )
}
