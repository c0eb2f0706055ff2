import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { meQuery } from '#web/features/identity/api.ts'
import { AdminShell } from './admin-shell.tsx'

/**
 * The Admin-only wrapper (spec §2): redirects a user who is not an ADMIN, or not known yet, to "/". The server checks
 * the role in every call; this guard only avoids an empty back office.
 */
export function AdminArea() {
  const { data: me } = useQuery(meQuery)
  if (me?.role !== 'admin') return <Navigate to="/" replace />
  return <AdminShell me={me} />
}
