import { type ComponentProps, useState } from 'react'
import { controlTexts } from './control-texts.ts'
import { classNames } from './class-names.ts'
import { controlClass, Field, type FieldLook } from './field.tsx'
import { Eye } from './icons/eye.tsx'
import { EyeOff } from './icons/eye-off.tsx'

export type TextInputProps = FieldLook & Omit<ComponentProps<'input'>, 'id' | 'aria-describedby' | 'aria-invalid'>

export function TextInput({ label, isLabelHidden, hint, error, className, ...input }: TextInputProps) {
  return (
    <Field label={label} isLabelHidden={isLabelHidden} hint={hint} error={error} className={className}>
      {(control) => <input type="text" {...input} {...control} className={controlClass} />}
    </Field>
  )
}

export type PasswordInputProps = Omit<TextInputProps, 'type' | 'autoComplete'> & {
  readonly autoComplete: 'current-password' | 'new-password'
}

export function PasswordInput({ label, isLabelHidden, hint, error, className, ...input }: PasswordInputProps) {
  const [isShown, setIsShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <Field label={label} isLabelHidden={isLabelHidden} hint={hint} error={error} className={className}>
      {(control) => (
        <div className="relative">
          <input
            spellCheck={false}
            autoCapitalize="none"
            {...input}
            {...control}
            type={isShown ? 'text' : 'password'}
            className={classNames(controlClass, 'pr-12')}
          />
          <button
            type="button"
            aria-label={isShown ? controlTexts.hidePassword : controlTexts.showPassword}
            aria-controls={control.id}
            disabled={input.disabled}
            onClick={() => setIsShown(!isShown)}
            className="absolute inset-y-0 right-0 grid w-target place-items-center rounded-s text-ink-3 hover:text-ink"
          >
            <Icon aria-hidden size={20} strokeWidth={1.8} />
          </button>
        </div>
      )}
    </Field>
  )
}
