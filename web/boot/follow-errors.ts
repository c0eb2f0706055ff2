import type { BrowserErrorKind } from '#domain/diagnostics/browser-error.ts'

export function followErrors(): void {
  addEventListener('error', ({ error }: ErrorEvent) => passOn('script', error))
  addEventListener('unhandledrejection', ({ reason }) => passOn('promise', reason))
}

export const passOnScreenError = (error: unknown): void => passOn('screen', error)

function passOn(kind: BrowserErrorKind, error: unknown): void {
  import('./browser-errors.ts').then(({ reportError }) => reportError(kind, error)).catch(() => {})
}
