import './styles/app.css'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { followNavigation } from './layout/navigation.ts'
import { bringFont } from './platform/font.ts'
import { followSystemTheme } from './platform/theme.ts'
import { router } from './routes.tsx'

followSystemTheme()
followNavigation(router)

const host = document.getElementById('root')
if (host === null) throw new Error('index.html has no #root.')

createRoot(host).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
)

// Without them the page is written in the device's own.
bringFont().catch(() => {})
