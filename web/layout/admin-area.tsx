import { useQuery } from '@tanstack/react-query'
import { Navigate, Outlet, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { KeepDialog } from '#web/features/admin-security/keep-dialog.ts'
import { meQuery } from '#web/features/identity/api.ts'
import { AdminShell } from './admin-shell.tsx'
import { FreshFactor } from './fresh-factor.tsx'

const securityPath = '/admin/security'

/** Only avoids an empty back office (spec §2): the server checks the role in every call. */
export function AdminArea() {
  const { data: me } = useQuery(meQuery)
  const [dialog, keepDialog] = useState<ReactNode>(null)
  const path = useRouterState({ select: (state) => state.location.pathname })
  if (me?.role !== 'admin') return <Navigate to="/" replace />
  // A session that has to add a second factor first sees nothing else (rules §4.10).
  if (me.mustAddFactor === true && path !== securityPath) return <Navigate to={securityPath} replace />
  return (
    <KeepDialog value={keepDialog}>
      {me.mustAddFactor === true ? (
        <div className="flex min-h-dvh flex-col pt-4">
          <Outlet />
        </div>
      ) : (
        <AdminShell me={me} />
      )}
      <FreshFactor />
      {dialog}
    </KeepDialog>
  )
}
