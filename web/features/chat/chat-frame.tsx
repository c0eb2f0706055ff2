import type { ReactNode } from 'react'
import { chatTexts } from './chat-texts.ts'
import { useLazyPart } from '#web/platform/lazy-part.ts'
import { reconnectNow } from '#web/platform/socket.ts'
import { ErrorState } from '#web/ui/states.tsx'
import type { ChatSession } from './chat-session.ts'
import type { ChatSnapshot } from './chat-store.ts'
import { ProblemAlert } from './problem-alert.tsx'
import { ChatSessionContext, type DrawCase, DrawCaseContext } from './use-chat.ts'

export type ChatFrameProps = {
  readonly session: ChatSession
  readonly snapshot: ChatSnapshot
  readonly drawCase: DrawCase
  readonly children: ReactNode
}

/** Shows a waiting text or an error until the chat is ready, and from then on the chat, even offline (spec §2.8). */
export function ChatFrame({ session, snapshot, drawCase, children }: ChatFrameProps) {
  return (
    <ChatSessionContext value={session}>
      <DrawCaseContext value={drawCase}>
        <Gate session={session} snapshot={snapshot}>
          {children}
        </Gate>
      </DrawCaseContext>
      {/* While a conversation is open, message-pane.tsx shows the problem above the field instead. */}
      {snapshot.chat.openKey === null && (
        <ProblemAlert problem={snapshot.alert} onDismiss={session.dismissProblem} className="fixed right-4 bottom-20" />
      )}
    </ChatSessionContext>
  )
}

function Gate({ session: { self, load }, snapshot, children }: Omit<ChatFrameProps, 'drawCase'>) {
  const { connection, wasConnected, hasConversations, loadFailure } = snapshot
  if (self.id === '' || self.username === '') return <Waiting text={chatTexts.userInvalid} />
  if (!wasConnected && connection === 'lost') {
    return (
      <div className="grid flex-1 content-center">
        <ErrorState message={chatTexts.connectFailed} onRetry={reconnectNow} />
        {snapshot.connectionProblem !== null && (
          <p className="px-4 text-center text-xs text-ink-3">{snapshot.connectionProblem}</p>
        )}
        <p className="px-4 pb-6 text-center text-sm text-ink-2">{chatTexts.connectFailedHint}</p>
      </div>
    )
  }
  if (loadFailure !== null && !hasConversations)
    return (
      <div className="grid flex-1 content-center">
        <ErrorState message={chatTexts.initialLoadFailed} onRetry={() => void load()} />
        <p className="px-4 pb-6 text-center text-sm text-ink-2">{loadFailure}</p>
      </div>
    )
  if (!hasConversations) return <Waiting text={chatTexts.loadingConversations} />
  if (!wasConnected) return <Waiting text={chatTexts.connectingServer} />
  return children
}

function Waiting({ text }: { readonly text: string }) {
  return (
    <p role="status" className="grid flex-1 place-items-center px-4 py-16 text-center text-sm text-ink-2">
      {text}
    </p>
  )
}

/** The look of the desk's small buttons that stay pressed. */
export const pressedPillClass =
  'relative min-h-8 rounded-pill border border-line-strong bg-surface px-2.5 text-xs font-medium text-ink-2 tabular-nums before:absolute before:inset-x-0 before:-inset-y-1 hover:bg-surface-press aria-pressed:border-gold aria-pressed:bg-gold-soft aria-pressed:text-gold'

const loadSoundSwitch = () => import('./sound-switch.tsx')

export function SoundButton() {
  const { part } = useLazyPart(loadSoundSwitch)
  return <span className="size-target shrink-0">{part !== undefined && <part.SoundSwitch />}</span>
}
