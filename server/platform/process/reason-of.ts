import { settingOfPath } from './settings.ts'

/** Returns one line that says what failed and, if known, what to do. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  if (!(error instanceof Error)) return String(error)
  const { code, message, port, path } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE') return `PORT: ${port} is taken by another program; stop it or set another one`
  if (code === 'EACCES' && port !== undefined) return `PORT: this user may not open ${port}; set one above 1023`
  if (code === 'ENOSPC') return `${path ?? message}: the disk is full; free some room`
  const line = message.split('\n', 1)[0] ?? message
  const setting = path === undefined ? null : settingOfPath(path)
  const advice =
    code === 'EACCES' || code === 'EPERM'
      ? `; this runs as user ${process.getuid?.()}`
      : code === 'EROFS'
        ? '; the service may write only where its unit says so: systemctl edit kim-phien, ReadWritePaths=FOLDER'
        : code === 'ENOTDIR' || code === 'EEXIST'
          ? '; name a folder instead of a file'
          : ''
  return `${setting === null || line.startsWith(setting) ? '' : `${setting}: `}${line}${advice}`
}
