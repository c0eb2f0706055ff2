import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ComponentProps, useCallback } from 'react'
import { PlayerChat } from '#web/features/chat/player-chat.tsx'
import { useHasWritten } from '#web/features/chat/use-chat.ts'
import { CaseSlot } from '#web/features/disputes/case-slot.tsx'
import { useConnection, useMe } from '#web/features/identity/use-me.ts'
import { useIsKeyboardOpen } from '#web/layout/keyboard.ts'
import { contentId } from '#web/layout/screen.tsx'
import { afterDrawing, useLazyPart } from '#web/platform/lazy-part.ts'
import { screenTitles } from '#web/platform/texts.ts'

const loadNear = afterDrawing(() => import('#web/features/help/near-answers.tsx'))
const loadOffer = () => import('#web/features/push/push-offer.tsx')

type CaseOf = Omit<ComponentProps<typeof CaseSlot>, 'self'>

/** A player's chat with customer care. Its panes scroll separately, so the chat fills the screen above the tab bar. */
export function SupportScreen() {
  const me = useMe()
  useConnection(me)
  const { case: about, conversation } = useSearch({ from: '/guarded/shell/support' })
  const navigate = useNavigate()
  const drawCase = useCallback((of: CaseOf) => <CaseSlot {...of} self={me} />, [me])
  const isKeyboardOpen = useIsKeyboardOpen()
  const { part: near } = useLazyPart(loadNear)
  const { part: offer } = useLazyPart(loadOffer, useHasWritten(me) && me.role === 'player')
  return (
    <main
      id={contentId}
      tabIndex={-1}
      data-own-scroll
      className="mx-auto flex w-full max-w-column min-h-0 grow basis-0 flex-col overflow-hidden"
    >
      <h1 tabIndex={-1} className="sr-only">
        {screenTitles.support}
      </h1>
      <PlayerChat
        me={me}
        about={about ?? ''}
        onAboutSent={() =>
          void navigate({ to: '/support', search: { conversation }, replace: true, resetScroll: false })
        }
        toOpen={conversation ?? ''}
        drawCase={drawCase}
        askFirst={(field) => (near === undefined ? <div className="h-20" /> : <near.NearAnswers {...field} />)}
        notice={
          offer !== undefined &&
          !isKeyboardOpen && (
            <offer.PushOffer
              about="care-replied"
              className="shrink-0 rounded-none! border-x-0! border-t-0! shadow-none!"
            />
          )
        }
      />
    </main>
  )
}
