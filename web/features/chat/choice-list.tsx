import { classNames } from '#web/ui/class-names.ts'

export type ChoiceListProps = {
  readonly id: string
  readonly label: string
  readonly sign: string
  readonly options: ReadonlyArray<{ readonly name: string; readonly text: string }>
  /** The index of the option that Enter chooses. */
  readonly at: number
  readonly onChoose: (at: number) => void
}

/** The choices for a typed word, above its field, which keeps the focus and takes the keys (`useChoices`). */
export function ChoiceList({ id, label, sign, options, at, onChoose }: ChoiceListProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label={label}
      className="absolute inset-x-2 bottom-full mb-1 max-h-64 overflow-y-auto rounded-m border border-line bg-surface p-1.5 shadow-overlay"
    >
      {options.map(({ name, text }, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the textarea handles the keys
        <div
          // Two people may have given one name.
          key={`${name} ${index}`}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(index)}
          className={classNames('rounded-s px-3 py-2 text-sm', index === at && 'bg-surface-press')}
        >
          <span className="font-semibold text-gold">
            {sign}
            {name}
          </span>{' '}
          {text}
        </div>
      ))}
    </div>
  )
}
