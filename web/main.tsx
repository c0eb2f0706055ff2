import './styles/app.css'
import { RouterProvider } from '@tanstack/react-router'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { followNavigation } from './layout/navigation.ts'
import { earlyAnswers } from './platform/early-calls.ts'
import { followErrors, passOnScreenError } from './platform/follow-errors.ts'
import { bringFont } from './platform/font.ts'
import { afterLoad } from './platform/lazy-part.ts'
import { nextTask, pause } from './platform/pause.ts'
import { followSession } from './platform/session.ts'
import { followSystemTheme } from './platform/theme.ts'
import { makeRouter } from './routes.tsx'

const host = document.getElementById('root')
if (host === null) throw new Error('index.html has no #root.')

/** Skeletons are not seen for as long (web/ui/skeleton.tsx), so nothing is lost by waiting. */
const firstPictureMs = 250

followErrors()
followSession()
await nextTask()
const router = makeRouter()
followNavigation(router)
// The first picture is drawn once, with the screen's code and its first data, instead of piece by piece as they come.
const isDrawable = Promise.allSettled([router.load(), earlyAnswers()])
await nextTask()
const page = createRoot(host, { onCaughtError: passOnScreenError, onUncaughtError: passOnScreenError })
await Promise.race([isDrawable, pause(firstPictureMs)])
// Behind whoever is being given an answer now.
await nextTask()
startTransition(() =>
  page.render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  ),
)

// Without them the page is written in the device's own.
bringFont().catch(() => {})
// The colours are right already; reading one for the browser's own bars would lay the page out before its time.
await afterLoad()
followSystemTheme()
