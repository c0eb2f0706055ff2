import type { ReactNode } from 'react'

export function Folded({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <details className="text-sm">
      <summary className="flex min-h-target cursor-pointer items-center font-medium text-gold print:hidden">
        {title}
      </summary>
      <div className="flex flex-col gap-2 pb-1 text-ink-2">{children}</div>
    </details>
  )
}
