import { PlayerChat } from '#web/features/chat/player-chat.tsx'
import { useConnection, useMe } from '#web/features/identity/use-me.ts'
import { useIsKeyboardOpen } from '#web/layout/keyboard.ts'
import { contentId } from '#web/layout/screen.tsx'
import { screenTitles } from '#web/platform/texts.ts'
import { classNames } from '#web/ui/class-names.ts'

/** Customer care (spec §2). It fills the screen above the tab bar, and its parts scroll separately. */
export function SupportScreen() {
  const me = useMe()
  useConnection(me)
  const isKeyboardOpen = useIsKeyboardOpen()
  return (
    <main
      id={contentId}
      tabIndex={-1}
      className={classNames(
        'mx-auto flex w-full max-w-column flex-col overflow-hidden',
        isKeyboardOpen ? 'h-dvh' : 'h-above-tab-bar',
      )}
    >
      <h1 tabIndex={-1} className="sr-only">
        {screenTitles.support}
      </h1>
      <PlayerChat me={me} />
    </main>
  )
}
