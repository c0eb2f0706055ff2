import type { ReactNode } from 'react'

export function PanelPart({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1 text-xs font-semibold text-ink-3">{title}</h3>
      {children}
    </section>
  )
}

/** The enlarged ::after makes the link easy to hit with a finger. */
export const panelLinkClass =
  'relative underline decoration-dotted underline-offset-4 after:absolute after:-inset-x-1 after:-inset-y-1.5 hover:decoration-solid'
