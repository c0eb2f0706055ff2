import { type ReactNode, useId } from 'react'

export type SwitchProps = {
  readonly label: string
  readonly detail?: ReactNode
  readonly isOn: boolean
  readonly isBusy?: boolean
  readonly onChange: (isOn: boolean) => void
}

export function Switch({ label, detail, isOn, isBusy = false, onChange }: SwitchProps) {
  const id = useId()
  return (
    <label className="flex min-h-target cursor-pointer items-center justify-between gap-3 py-1 text-sm has-aria-disabled:cursor-progress">
      <span className="min-w-0">
        <span id={`${id}label`} className="block text-ink-2">
          {label}
        </span>
        {detail !== undefined && (
          <span id={`${id}detail`} className="block text-xs text-ink-3">
            {detail}
          </span>
        )}
      </span>
      <input
        type="checkbox"
        role="switch"
        checked={isOn}
        aria-checked={isOn}
        aria-labelledby={`${id}label`}
        aria-describedby={detail === undefined ? undefined : `${id}detail`}
        aria-disabled={isBusy || undefined}
        onChange={(event) => !isBusy && onChange(event.target.checked)}
        className="relative h-6 w-10 shrink-0 cursor-[inherit] appearance-none rounded-pill bg-control transition-colors after:absolute after:top-1 after:left-1 after:size-4 after:rounded-pill after:bg-surface after:transition-transform checked:bg-gold checked:after:translate-x-4 aria-disabled:opacity-50"
      />
    </label>
  )
}
