import type { ChangeEvent } from 'react'
import { classNames } from './class-names.ts'

export type CheckboxProps = {
  /** What it switches, for whoever does not see where it stands. */
  readonly label: string
  readonly isChecked: boolean
  /** Neither: some of what it stands for is on. */
  readonly isMixed?: boolean
  readonly isDisabled?: boolean
  readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void
  readonly className?: string
}

/** A tick without a visible label; the whole of its cell takes the press. */
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
