import type { ChangeEvent } from 'react'
import { classNames } from './class-names.ts'

export type CheckboxProps = {
  /** The purpose of the box, for screen readers. */
  readonly label: string
  readonly isChecked: boolean
  /** True for the mixed state: some of the boxes that it represents are checked. */
  readonly isMixed?: boolean
  readonly isDisabled?: boolean
  readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void
  readonly className?: string
}

/** A checkbox without a visible label; its whole cell accepts the press. */
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
