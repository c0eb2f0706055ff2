import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'

export type RowButtonProps = {
  readonly variant?: 'outline' | 'up'
  readonly onClick: () => void
  readonly children: string
}

/** A button in a row. `up`, for acts that move points, is filled while the row is hovered, focused or selected. */
export function RowButton({ variant = 'outline', onClick, children }: RowButtonProps) {
  return (
    <Button
      variant="outline"
      size="xs"
      className={classNames(
        'max-md:min-h-target max-md:px-4! max-md:text-sm!',
        'border-line-strong!',
        variant === 'up' && 'text-up! in-hand:border-transparent! in-hand:bg-up-fill! in-hand:text-on-fill!',
      )}
      onClick={onClick}
    >
      {children}
    </Button>
  )
}
