import { Fragment, useEffect, useEffectEvent } from 'react'
import { type Direction, PRESET_STAKES } from '#domain/game/bet.ts'
import { useLazyPart } from '#web/platform/lazy-part.ts'
import { areShortcutsOn } from '#web/platform/storage.ts'
import { betButtonId } from './bet-form-id.ts'
import { shortcutTexts } from './shortcut-texts.ts'
import type { Betting } from './use-betting.ts'

/** The keys M and B only move the focus to a button, because a single key must not place a bet. */
const buttonOf: Readonly<Record<string, Direction>> = { m: 'up', b: 'down' }

/** Matches the fields in which a user types, where shortcuts do not work. */
const typedInto = 'input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]'
const overlay = '[role=dialog], [role=alertdialog], [role=menu]'

/** Returns whether shortcuts are on and a key press is not for a field, an open dialog or the browser (WCAG 2.1.4). */
function isForScreen(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return false
  if (event.defaultPrevented || !areShortcutsOn()) return false
  if (event.target instanceof Element && event.target.closest(typedInto) !== null) return false
  return document.querySelector(overlay) === null
}

function Margin() {
  if (!areShortcutsOn()) return null
  return (
    <dl
      aria-label={shortcutTexts.title}
      className="fixed top-24 left-[calc(50%+20.5rem)] hidden grid-cols-[auto_1fr] gap-x-3 gap-y-2 text-xs text-ink-3 min-[72rem]:grid"
    >
      {shortcutTexts.brief.map(([key, act]) => (
        <Fragment key={key}>
          <dt>
            <kbd className="rounded-s border border-line-strong px-1.5 py-0.5">{key}</kbd>
          </dt>
          <dd>{act}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

const loadDialog = () => import('./shortcuts-dialog.tsx')

export type ShortcutsProps = {
  readonly betting: Betting
  readonly isListed: boolean
  readonly onListed: (isListed: boolean) => void
}

export function Shortcuts({ betting, isListed, onListed }: ShortcutsProps) {
  const { part } = useLazyPart(loadDialog, isListed)
  const act = useEffectEvent((event: KeyboardEvent) => {
    if (!isForScreen(event)) return
    const stake = /^[1-8]$/.test(event.key) ? PRESET_STAKES[Number(event.key) - 1] : undefined
    const direction = buttonOf[event.key.toLowerCase()]
    const button = document.getElementById(betButtonId(direction ?? 'up'))
    if (event.key === '?') onListed(true)
    // The keys of the sides and stakes do nothing without bet buttons, as on the History tab or while a bet is held.
    else if (button !== null && direction !== undefined) button.focus()
    else if (button !== null && stake !== undefined) betting.setStake(String(stake))
    else return
    event.preventDefault()
  })
  useEffect(() => {
    document.addEventListener('keydown', act)
    return () => document.removeEventListener('keydown', act)
  }, [])
  return (
    <>
      <Margin />
      {isListed && part !== undefined && <part.ShortcutsDialog onClose={() => onListed(false)} />}
    </>
  )
}
