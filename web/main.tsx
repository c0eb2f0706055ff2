import './styles/app.css'
import { RouterProvider } from '@tanstack/react-router'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { delaysMs } from './boot/delays.ts'
import { bringFonts } from './boot/fonts.ts'
import { followNavigation } from './layout/navigation.ts'
import { earlyAnswers } from './platform/early-calls.ts'
import { followErrors, passOnScreenError } from '#web/boot/follow-errors.ts'
import { afterLoad } from './platform/lazy-part.ts'
import { pause } from './platform/pause.ts'
import { followSession } from './platform/session.ts'
import { followSystemTheme } from './platform/theme.ts'
import { makeRouter } from './routes.tsx'

const host = document.getElementById('root')
if (host === null) throw new Error('index.html has no #root.')

followErrors()
followSession()
const router = makeRouter()
followNavigation(router)
// The first picture is drawn once, with the screen's code and its first data, instead of piece by piece as they come.
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

// Where the fonts cannot be loaded, the page stays in the device's own.
bringFonts().catch(() => {})
// The colours are right already; reading one for the browser's own bars would lay the page out before its time.
await afterLoad()
followSystemTheme()
