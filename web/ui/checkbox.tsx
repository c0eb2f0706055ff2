import type { ChangeEvent } from 'react'
import { classNames } from './class-names.ts'

export type CheckboxProps = {
  readonly label: string
  readonly isChecked: boolean
  readonly isMixed?: boolean
  readonly isDisabled?: boolean
  readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void
  readonly className?: string
}

export function Checkbox({
  label,
  isChecked,
  isMixed = false,
  isDisabled = false,
  onChange,
  className,
}: CheckboxProps) {
  return (
    <label className={classNames('grid cursor-pointer place-items-center has-disabled:cursor-default', className)}>
      <input
        type="checkbox"
        aria-label={label}
        checked={isChecked}
        disabled={isDisabled}
        onChange={onChange}
        ref={(box) => {
          if (box !== null) box.indeterminate = isMixed && !isChecked
        }}
        className="size-4 cursor-[inherit] accent-gold"
      />
    </label>
  )
}
