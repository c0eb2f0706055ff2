import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { meQuery } from '#web/features/identity/api.ts'
import { AdminShell } from './admin-shell.tsx'

/**
 * The Admin-only wrapper (spec §2): whoever is no ADMIN, or not known yet, is sent to "/". The server asks again at
 * every call; this only spares others the sight of an empty back office.
 */
export function AdminArea() {
  const { data: me } = useQuery(meQuery)
  if (me?.role !== 'admin') return <Navigate to="/" replace />
  return <AdminShell me={me} />
}
