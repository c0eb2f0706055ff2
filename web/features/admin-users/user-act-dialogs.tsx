import type { ReactNode } from 'react'
import { adminUserTexts as texts } from './admin-user-texts.ts'
import { formatAmount } from '#web/platform/formats.ts'
import { ActDialog } from '#web/ui/act-dialog.tsx'
import { ChangedMeanwhile } from './changed-meanwhile.tsx'
import type { StaffUser } from './api.ts'
import { useFreshCopy, useUserActs } from './use-user-acts.ts'

export type UserAct = 'freeze' | 'unfreeze' | 'win' | 'lose' | 'fair' | 'make-admin' | 'make-player' | 'remove'

type Act = {
  readonly title: (name: string) => string
  readonly text: (user: StaffUser) => ReactNode
  readonly button: string
  readonly isDanger?: true
  readonly done: (name: string) => string
  readonly failed: string
  readonly run: (acts: ReturnType<typeof useUserActs>, user: StaffUser) => Promise<unknown>
}

function Paragraphs({ lines }: { readonly lines: readonly string[] }) {
  return (
    <div className="flex flex-col gap-2">
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  )
}

type Script = Pick<Act, 'title' | 'button' | 'isDanger'> & { readonly text: (name: string) => string }

const script = ({ text, ...words }: Script, outcome: 'win' | 'lose'): Act => ({
  ...words,
  text: ({ username }) => (
    <Paragraphs
      lines={[text(username), texts.shownToPlayer(`auto ${outcome}`), texts.openBetsStay, texts.outOfStatistics]}
    />
  ),
  done: () => texts.nowScripted(`auto ${outcome}`),
  failed: texts.scriptFailed,
  run: ({ update }, user) => update(user, { scriptedOutcome: outcome }),
})

const balanceOf = ({ balanceMinor }: StaffUser) => formatAmount(balanceMinor)

const actsByName: Readonly<Record<UserAct, Act>> = {
  freeze: {
    title: texts.freezeTitle,
    text: (user) => texts.freezeText(user.username, balanceOf(user)),
    button: texts.freezeButton,
    isDanger: true,
    done: () => texts.nowFrozen,
    failed: texts.freezeFailed,
    run: ({ update }, user) => update(user, { isFrozen: true }),
  },
  unfreeze: {
    title: texts.unfreezeTitle,
    text: (user) => texts.unfreezeText(user.username, balanceOf(user)),
    button: texts.unfreeze,
    done: () => texts.unfrozen,
    failed: texts.unfreezeFailed,
    run: ({ update }, user) => update(user, { isFrozen: false }),
  },
  win: script({ title: texts.winTitle, text: texts.winText, button: texts.toWin }, 'win'),
  lose: script({ title: texts.loseTitle, text: texts.loseText, button: texts.toLose, isDanger: true }, 'lose'),
  fair: {
    title: texts.fairTitle,
    text: ({ username }) => <Paragraphs lines={[texts.fairText(username), texts.openBetsStay]} />,
    button: texts.toFair,
    done: () => texts.madeFair,
    failed: texts.scriptFailed,
    run: ({ update }, user) => update(user, { scriptedOutcome: null }),
  },
  'make-admin': {
    title: texts.makeAdminTitle,
    text: ({ username }) => texts.makeAdminText(username),
    button: texts.makeAdmin,
    done: texts.roleChanged,
    failed: texts.roleFailed,
    run: ({ changeRole }, user) => changeRole(user, 'admin'),
  },
  'make-player': {
    title: texts.makePlayerTitle,
    text: ({ username }) => texts.makePlayerText(username),
    button: texts.makePlayer,
    isDanger: true,
    done: texts.roleChanged,
    failed: texts.roleFailed,
    run: ({ changeRole }, user) => changeRole(user, 'player'),
  },
  remove: {
    title: texts.removeTitle,
    text: (user) => texts.removeText(user.username, balanceOf(user)),
    button: texts.remove,
    isDanger: true,
    done: texts.removed,
    failed: texts.removeFailed,
    run: ({ remove }, user) => remove(user),
  },
}

export type UserActDialogProps = {
  readonly act: UserAct
  readonly user: StaffUser
  readonly onRemoved: () => void
  readonly onClose: () => void
}

/** Names the effect of an act on a user, asks for confirmation, and then acts. */
export function UserActDialog({ act, user, onRemoved, onClose }: UserActDialogProps) {
  const acts = useUserActs()
  const { copy, changes, run: runFresh, onFailure } = useFreshCopy(user)
  const { title, text, button, isDanger, done, failed, run } = actsByName[act]
  return (
    <ActDialog
      title={title(copy.username)}
      description={text(copy)}
      confirmLabel={button}
      tone={isDanger ? 'danger' : 'primary'}
      run={() =>
        runFresh(async () => {
          await run(acts, copy)
          if (act === 'remove') onRemoved()
        })
      }
      doneText={done(copy.username)}
      failText={failed}
      onFailure={onFailure}
      onClose={onClose}
    >
      <ChangedMeanwhile changes={changes} />
    </ActDialog>
  )
}
