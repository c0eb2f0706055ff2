import { CircleAlert, X } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { chatTexts } from './chat-texts.ts'
import { useLazyPart } from '#web/platform/lazy-part.ts'
import { reconnectNow } from '#web/platform/socket.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/states.tsx'
import type { ChatSession } from './chat-session.ts'
import type { ChatSnapshot } from './chat-store.ts'
import { ChatSessionContext } from './use-chat.ts'

/** An alert closes by itself after this time; the user can close it earlier. */
const alertMs = 8_000

export type ChatFrameProps = {
  readonly session: ChatSession
  readonly snapshot: ChatSnapshot
  readonly children: ReactNode
}

/**
 * A placeholder until the chat can be used (spec §2), then the chat with the bar for a lost connection and the red
 * alert at the bottom right.
 */
export function ChatFrame({ session, snapshot, children }: ChatFrameProps) {
  return (
    <ChatSessionContext value={session}>
      <Gate session={session} snapshot={snapshot}>
        <DisconnectedBar snapshot={snapshot} />
        {children}
      </Gate>
      <ProblemAlert problem={snapshot.alert} onDismiss={session.dismissProblem} />
    </ChatSessionContext>
  )
}

function Gate({ session: { self, load }, snapshot, children }: ChatFrameProps) {
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

/** Shown after a lost connection, which is retried automatically and at once by the button. */
function DisconnectedBar({ snapshot }: { readonly snapshot: ChatSnapshot }) {
  const { connection } = snapshot
  return (
    <div role="status">
      {connection !== 'connected' && (
        <p className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1 bg-warn-soft px-4 py-1.5 text-center text-xs font-medium text-warn">
          {connection === 'connecting' ? chatTexts.reconnecting : chatTexts.disconnected}
          {connection === 'lost' && (
            <Button size="xs" variant="outline" onClick={reconnectNow}>
              {chatTexts.reconnect}
            </Button>
          )}
        </p>
      )}
    </div>
  )
}

type ProblemAlertProps = { readonly problem: ChatSnapshot['alert']; readonly onDismiss: () => void }

function ProblemAlert({ problem, onDismiss }: ProblemAlertProps) {
  const id = problem?.id
  useEffect(() => {
    if (id === undefined) return
    const timer = setTimeout(onDismiss, alertMs)
    return () => clearTimeout(timer)
  }, [id, onDismiss])
  if (problem === null) return null
  return (
    <div
      role="alert"
      className="fixed right-4 bottom-20 z-50 flex max-w-[min(22rem,calc(100vw-2rem))] items-start gap-2 rounded-m border border-down bg-down-soft py-2 pr-1 pl-3 text-sm text-down shadow-overlay"
    >
      <CircleAlert aria-hidden size={18} className="mt-3 shrink-0" />
      <div className="min-w-0 flex-1 py-2">
        <p className="font-semibold">{chatTexts.errorTitle}</p>
        <p>{problem.text}</p>
      </div>
      <IconButton label={chatTexts.closeAlert} onClick={onDismiss} className="text-down">
        <X aria-hidden size={18} />
      </IconButton>
    </div>
  )
}

const loadSoundSwitch = () => import('./sound-switch.tsx')

/** The sound switch is loaded last; its place is reserved. */
export function SoundButton() {
  const { part } = useLazyPart(loadSoundSwitch)
  return <span className="size-target shrink-0">{part !== undefined && <part.SoundSwitch />}</span>
}
