import { type ChangeEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { isBlank } from '#domain/blank.ts'

/** A rule for a text that must not be empty. */
export const required = (sentence: string) => (text: string) => (isBlank(text) ? sentence : undefined)

/**
 * A text that an act asks for, with its problem. More than two texts are a form of `useActForm`, whose library weighs
 * 13 KiB.
 * @param problemOf the sentence to show at the field; undefined for a text that can be sent
 */
export function usePrompt(problemOf: (text: string) => string | undefined, first = '') {
  const [text, setText] = useState(first)
  const [error, setError] = useState<string>()
  const ref = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const set = (next: string) => {
    setText(next)
    setError(undefined)
  }
  /** Shows the problem, and moves the focus there once it is on screen, so that a screen reader reads it. */
  const refuse = (sentence: string) => {
    flushSync(() => setError(sentence))
    ref.current?.focus()
  }
  return {
    text,
    set,
    refuse,
    /** Props to spread on the control. */
    field: {
      ref,
      error,
      value: text,
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => set(event.currentTarget.value),
    },
    /** Whether the text can be sent; shows the problem where it can't. */
    check: (): boolean => {
      const problem = problemOf(text)
      if (problem !== undefined) refuse(problem)
      return problem === undefined
    },
  }
}

/** Checks every one of these prompts, so that all mistakes are shown; the first wrong one has the focus. */
export function checkAll(prompts: readonly { readonly check: () => boolean }[]): boolean {
  return prompts
    .toReversed()
    .map(({ check }) => check())
    .every(Boolean)
}
