import './styles/app.css'
import { RouterProvider } from '@tanstack/react-router'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { followNavigation } from './layout/navigation.ts'
import { earlyAnswers } from './platform/early-calls.ts'
import { bringFont } from './platform/font.ts'
import { followSystemTheme } from './platform/theme.ts'
import { router } from './routes.tsx'

followSystemTheme()
followNavigation(router)

const host = document.getElementById('root')
if (host === null) throw new Error('index.html has no #root.')

const page = createRoot(host)

/** Skeletons are not seen for as long (web/ui/skeleton.tsx), so nothing is lost by waiting. */
const firstPictureMs = 250

// The first picture is drawn once, with the screen's code and its first data, instead of piece by piece as they come.
const isDrawable = Promise.allSettled([router.load(), earlyAnswers()])
await Promise.race([isDrawable, new Promise((resolve) => setTimeout(resolve, firstPictureMs))])
startTransition(() =>
  page.render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  ),
)

// Without them the page is written in the device's own.
bringFont().catch(() => {})
