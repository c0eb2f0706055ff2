import { type ReactNode, useId } from 'react'
import { Card } from './card.tsx'

export type TitledCardProps = {
  readonly title: string
  readonly gap?: string
  readonly children: ReactNode
}

export function TitledCard({ title, gap = 'gap-3', children }: TitledCardProps) {
  const id = useId()
  return (
    <Card aria-labelledby={id} className={`flex flex-col ${gap}`}>
      <h2 id={id} className="text-base font-semibold">
        {title}
      </h2>
      {children}
    </Card>
  )
}
