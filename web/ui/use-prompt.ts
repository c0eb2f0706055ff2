import { type ChangeEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { isBlank } from '#domain/blank.ts'

export const required = (sentence: string) => (text: string) => (isBlank(text) ? sentence : undefined)

/** Keeps a text with its error, without the form library of `useActForm`. */
export function usePrompt(problemOf: (text: string) => string | undefined, first = '') {
  const [text, setText] = useState(first)
  const [error, setError] = useState<string>()
  const ref = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const set = (next: string) => {
    setText(next)
    setError(undefined)
  }
  /** Shows the error and then focuses the field, so that a screen reader reads the error. */
  const refuse = (sentence: string) => {
    flushSync(() => setError(sentence))
    ref.current?.focus()
  }
  return {
    text,
    set,
    refuse,
    field: {
      ref,
      error,
      value: text,
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => set(event.currentTarget.value),
    },
    check: (): boolean => {
      const problem = problemOf(text)
      if (problem !== undefined) refuse(problem)
      return problem === undefined
    },
  }
}

/** Checks all prompts, so that all errors are shown. Starts with the last, so that the first error keeps the focus. */
export function checkAll(prompts: readonly { readonly check: () => boolean }[]): boolean {
  return prompts
    .toReversed()
    .map(({ check }) => check())
    .every(Boolean)
}
