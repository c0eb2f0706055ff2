import './styles/app.css'
import { RouterProvider } from '@tanstack/react-router'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { delaysMs } from './boot/delays.ts'
import { followErrors, passOnScreenError } from './boot/follow-errors.ts'
import { bringFonts } from './boot/fonts.ts'
import { refuseStrayDrops } from './boot/stray-drops.ts'
import { followNavigation } from './layout/navigation.ts'
import { earlyAnswers } from './platform/early-calls.ts'
import { afterLoad } from './platform/lazy-part.ts'
import { pause } from './platform/pause.ts'
import { followSession } from './platform/session.ts'
import { followSteps } from './platform/steps.ts'
import { followSystemTheme } from './platform/theme.ts'
import { makeRouter } from './routes.tsx'

const host = document.getElementById('root')
if (host === null) throw new Error('index.html has no #root.')

followErrors()
refuseStrayDrops()
followSession()
followSteps()
const router = makeRouter()
followNavigation(router)
// Wait a moment for the screen's code and first data, so that the page is painted in one step, not piece by piece.
const isDrawable = Promise.allSettled([router.load(), earlyAnswers()])
const page = createRoot(host, { onCaughtError: passOnScreenError, onUncaughtError: passOnScreenError })
await Promise.race([isDrawable, pause(delaysMs.firstPicture)])
startTransition(() =>
  page.render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  ),
)

bringFonts().catch(() => {})
// `followSystemTheme` sets the colour of the browser's bars, which forces a layout, so it waits for the page's load.
await afterLoad()
followSystemTheme()
