import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { failureText } from './http.ts'
import { queryClient } from './query-client.ts'

export type ActOptions<Input, Answer> = {
  /** The signal aborts when the component goes away: nobody waits for a download any more. */
  readonly run: (input: Input, signal: AbortSignal) => Promise<Answer>
  readonly failText: string | ((error: unknown, input: Input) => string)
  /** Not called when the component is gone by then. */
  readonly onDone?: ((answer: Answer) => void) | undefined
  /** Handles a failure; returns true when `failure` need not say it. */
  readonly onFailure?: ((error: unknown, input: Input) => boolean) | undefined
  /** Called also where the component is gone by then. */
  readonly onSettled?: (() => void) | undefined
}

/** Failures that are shown elsewhere, so that they are never drawn as `failure`. */
const handled = new WeakSet<Error>()

type Sent<Input> = { readonly input: Input; readonly signal: AbortSignal }

/**
 * One act, a call that changes something, at a time: whether it is under way, and the sentence of its failure until the
 * next try.
 */
export function useAct<Input = void, Answer = unknown>({
  run,
  failText,
  onDone,
  onFailure,
  onSettled,
}: ActOptions<Input, Answer>) {
  /** The controller of the act under way: a second press may come before the first one is drawn. */
  const underWay = useRef<AbortController>(null)
  /** What is being sent, set at the press: `isPending` turns true later, and a switch would jump back until then. */
  const [pressed, setPressed] = useState<Sent<Input>>()
  useEffect(() => () => underWay.current?.abort(), [])
  const { mutate, reset, isPending, error, data, variables } = useMutation(
    {
      mutationFn: ({ input, signal }: Sent<Input>) => run(input, signal),
      onError: (failed, { input, signal }) => {
        if (!signal.aborted && onFailure?.(failed, input) === true) handled.add(failed)
      },
      onSettled: () => {
        underWay.current = null
        setPressed(undefined)
        onSettled?.()
      },
      // The input may be a secret, so it is forgotten soon.
      gcTime: 1_000,
    },
    queryClient,
  )
  const sent = pressed ?? (isPending ? variables : undefined)
  return {
    isBusy: sent !== undefined,
    /** What a field shows while the server has not answered yet. */
    wish: sent?.input,
    answer: data,
    failure:
      error === null || handled.has(error) || variables === undefined
        ? undefined
        : typeof failText === 'string'
          ? failureText(error, failText)
          : failText(error, variables.input),
    start: (input: Input) => {
      if (underWay.current) return
      const { signal } = (underWay.current = new AbortController())
      setPressed({ input, signal })
      mutate({ input, signal }, { onSuccess: (answer) => onDone?.(answer) })
    },
    /** The act under way has no failure yet, and its own must not be lost. */
    forget: () => {
      if (underWay.current === null) reset()
    },
  }
}
