import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, Outlet, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { KeepDialog } from '#web/features/admin-security/keep-dialog.ts'
import { meQuery } from '#web/features/identity/api.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { AdminPage } from './admin-page.tsx'
import { AdminShell } from './admin-shell.tsx'
import { adminTexts } from './admin-texts.ts'
import { FreshFactor } from './fresh-factor.tsx'

const securityPath = '/admin/security'

/** Redirects users who are not admins to the home screen (spec §2.4). */
export function AdminArea() {
  const { data: me } = useQuery(meQuery)
  const [dialog, keepDialog] = useState<ReactNode>(null)
  const path = useRouterState({ select: (state) => state.location.pathname })
  if (me?.role !== 'admin') return <Navigate to="/" replace />
  // An admin who must add a second factor can open only the page where factors are added (rules §4.10).
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

export const AdminNotFound = () => (
  <AdminPage title={commonTexts.notFoundTitle}>
    <EmptyState
      text={commonTexts.notFound}
      action={
        <Link to="/admin" className={buttonClass({ variant: 'outline' })}>
          {adminTexts.overview}
        </Link>
      }
    />
  </AdminPage>
)
