/** Passes every error on that nothing else catches. What reports it is fetched with the first one (browser-errors.ts). */
export function followErrors(): void {
  addEventListener('error', ({ error }: ErrorEvent) => passOn('script', error))
  addEventListener('unhandledrejection', ({ reason }) => passOn('promise', reason))
}

/** For React: an error that took a screen down. */
export const passOnScreenError = (error: unknown): void => passOn('screen', error)

function passOn(kind: 'script' | 'promise' | 'screen', error: unknown): void {
  import('./browser-errors.ts').then(({ reportError }) => reportError(kind, error)).catch(() => {})
}
