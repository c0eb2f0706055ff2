import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { Field, type FieldLook } from './field.tsx'

export type TextAreaProps = FieldLook &
  Omit<ComponentProps<'textarea'>, 'id' | 'aria-describedby' | 'aria-invalid' | 'className'> & {
    readonly textClassName?: string
  }

export function TextArea({ label, isLabelHidden, hint, error, textClassName, ...textArea }: TextAreaProps) {
  return (
    <Field label={label} isLabelHidden={isLabelHidden} hint={hint} error={error}>
      {(control) => (
        <textarea
          rows={3}
          {...textArea}
          {...control}
          className={classNames(
            'w-full resize-y rounded-s border border-control bg-surface px-3 py-2 text-base text-ink transition-colors focus:border-gold aria-invalid:border-down',
            textClassName,
          )}
        />
      )}
    </Field>
  )
}
