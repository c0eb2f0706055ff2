import { Link } from '@tanstack/react-router'
import { classNames } from '#web/ui/class-names.ts'

export type CustomerLinkProps = {
  readonly id: string
  readonly name: string
  readonly className?: string
  readonly onClick?: () => void
}

export function CustomerLink({ id, name, className, onClick }: CustomerLinkProps) {
  return (
    <Link
      to="/admin/user/$id"
      params={{ id }}
      title={name}
      {...(onClick !== undefined && { onClick })}
      className={classNames(
        'truncate rounded-[4px] font-medium underline decoration-dotted underline-offset-4 hover:decoration-solid',
        className,
      )}
    >
      <bdi>{name}</bdi>
    </Link>
  )
}
