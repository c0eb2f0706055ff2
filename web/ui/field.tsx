import { type ComponentProps, type ReactNode, type RefObject, useId } from 'react'
import { flushSync } from 'react-dom'
import { classNames } from './class-names.ts'

export type FieldLook = {
  readonly label: string
  readonly isLabelHidden?: boolean | undefined
  readonly hint?: ReactNode
  readonly error?: string | undefined
}

export type ControlAttributes = {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

export type FieldProps = FieldLook & {
  readonly className?: string | undefined
  readonly children: (control: ControlAttributes) => ReactNode
}

/** Links label, control, and hint or error for assistive technology (WCAG 1.3.1, 3.3.1, 3.3.2). */
export function Field({ label, isLabelHidden = false, hint, error, className, children }: FieldProps) {
  const id = useId()
  const hasError = error !== undefined && error !== ''
  const says = hasError ? error : hint
  const lineId = says === undefined || says === null ? undefined : `${id}-says`
  return (
    <div className={classNames('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-sm font-medium text-ink'}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': lineId,
        'aria-invalid': hasError || undefined,
      })}
      {lineId !== undefined && (
        // The key gives an error a new element: the browser's translation may have replaced the text of the hint's
        // element, and React could not change that text any more.
        <p
          key={String(hasError)}
          id={lineId}
          className={classNames('[overflow-wrap:anywhere]', hasError ? 'text-sm/5 text-down' : 'text-xs/5 text-ink-3')}
        >
          {says}
        </p>
      )}
    </div>
  )
}

export type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & { readonly onSubmit: () => void }

export const Form = ({ onSubmit, ...props }: FormProps) => (
  <form
    {...props}
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit()
    }}
  />
)

/** The font has at least 16 px: with a smaller font, iOS zooms the page when a field gets the focus. */
export const controlClass =
  'h-target w-full rounded-s border border-control bg-surface px-3 text-base text-ink transition-colors focus:border-gold disabled:border-line disabled:bg-surface-2 disabled:text-ink-3 aria-invalid:border-down'

/** Shows errors and focuses the first control in error. `flushSync` renders at once, so that `aria-invalid` is set. */
export function showAndFocusErrors(formRef: RefObject<HTMLElement | null>, show: () => void): void {
  flushSync(show)
  formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}
