import { type ReactNode, type RefObject, useId } from 'react'
import { flushSync } from 'react-dom'
import { classNames } from './class-names.ts'

/** What every labelled input takes besides its own attributes. */
export type FieldLook = {
  readonly label: string
  /** The label is still there for assistive technology: only where the picture says it plainly. */
  readonly isLabelHidden?: boolean | undefined
  readonly hint?: ReactNode
  /** The sentence to show; undefined while the value is fine. */
  readonly error?: string | undefined
}

/** To be spread on the control, which links it with its label, hint and error. */
export type ControlAttributes = {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

export type FieldProps = FieldLook & {
  readonly className?: string | undefined
  readonly children: (control: ControlAttributes) => ReactNode
}

/** A label, a control, its hint and its error, tied together for everybody (WCAG 1.3.1, 3.3.1, 3.3.2). */
export function Field({ label, isLabelHidden = false, hint, error, className, children }: FieldProps) {
  const id = useId()
  const hasHint = hint !== undefined && hint !== null
  const hasError = error !== undefined && error !== ''
  const describedBy = classNames(hasError && `${id}-error`, hasHint && `${id}-hint`)
  return (
    <div className={classNames('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-sm font-medium text-ink'}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': describedBy === '' ? undefined : describedBy,
        'aria-invalid': hasError || undefined,
      })}
      {hasError && (
        <p id={`${id}-error`} className="text-sm text-down">
          {error}
        </p>
      )}
      {hasHint && (
        <p id={`${id}-hint`} className="text-xs text-ink-3">
          {hint}
        </p>
      )}
    </div>
  )
}

/** The look of every text control; below a font size of 16 px iOS zooms the page on focus. */
export const controlClass =
  'h-target w-full rounded-s border border-control bg-surface px-3 text-base text-ink transition-colors focus:border-gold disabled:border-line disabled:bg-surface-2 disabled:text-ink-3 aria-invalid:border-down'

/**
 * Shows errors by `show`, a change of state, and moves focus to the first control of the form that is in error: drawn
 * at once, because a change of state after an awaited answer may be drawn later than the next frame.
 * Forms on react-hook-form do not need it: their own rules move focus by themselves.
 */
export function showAndFocusErrors(formRef: RefObject<HTMLElement | null>, show: () => void): void {
  flushSync(show)
  formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}
