import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { controlClass, Field, type FieldLook } from './field.tsx'
import { ChevronDown } from './icons/chevron-down.tsx'

export type SelectOption = { readonly value: string; readonly label: string; readonly isDisabled?: boolean }

export type SelectProps = FieldLook &
  Omit<ComponentProps<'select'>, 'id' | 'aria-describedby' | 'aria-invalid' | 'children' | 'multiple'> & {
    readonly options: readonly SelectOption[]
    /** Like `disabled`, but the control keeps the focus. */
    readonly isOff?: boolean
  }

/** Uses the browser's own select, for which phones have a picker of their own. */
export function Select({
  label,
  isLabelHidden,
  hint,
  error,
  className,
  options,
  isOff = false,
  ...select
}: SelectProps) {
  return (
    <Field label={label} isLabelHidden={isLabelHidden} hint={hint} error={error} className={className}>
      {(control) => (
        <div className="relative">
          <select
            {...select}
            {...control}
            aria-disabled={isOff || undefined}
            onKeyDown={(event) => isOff && event.key !== 'Tab' && event.preventDefault()}
            className={classNames(
              controlClass,
              'appearance-none pr-10',
              isOff && 'pointer-events-none border-line bg-surface-2 text-ink-3',
            )}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.isDisabled}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown
            aria-hidden
            size={18}
            className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-ink-3"
          />
        </div>
      )}
    </Field>
  )
}
