import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'

export type RowButtonProps = {
  readonly variant?: 'outline' | 'up'
  readonly onClick: () => void
  readonly children: string
}

/** The frequent act at a row's end: low in the table, as high as a touch target on a card. */
export function RowButton({ variant = 'outline', onClick, children }: RowButtonProps) {
  return (
    <Button
      variant={variant}
      size="xs"
      className={classNames(
        'max-md:min-h-target max-md:px-4! max-md:text-sm!',
        variant === 'outline' && 'border-line-strong!',
      )}
      onClick={onClick}
    >
      {children}
    </Button>
  )
}
