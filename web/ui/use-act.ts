import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { failureText } from '#web/platform/http.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { toast } from './toast.tsx'

export type ActOptions<Input, Answer> = {
  /** The signal aborts when the component unmounts. */
  readonly run: (input: Input, signal: AbortSignal) => Promise<Answer>
  readonly failText: string | ((error: unknown, input: Input) => string)
  /** True if the component does not draw `failure`: a toast shows it. */
  readonly isToasted?: boolean
  /** Called after success, unless the component has been unmounted by then. */
  readonly onDone?: ((answer: Answer) => void) | undefined
  /** Called after a failure while the component is mounted. Returns true if `failure` should stay unset. */
  readonly onFailure?: ((error: unknown, input: Input) => boolean) | undefined
  /** Called after success and failure, even if the component has been unmounted by then. */
  readonly onSettled?: (() => void) | undefined
}

const handled = new WeakSet<Error>()

type Sent<Input> = { readonly input: Input; readonly signal: AbortSignal }

/**
 * Runs acts (calls that change something) one at a time: `start` does nothing while an act runs. `failure` is the
 * message of the last failure, until the next act starts. If the component has been unmounted when an act fails, a toast
 * shows the message, since the user still believes in the act.
 */
export function useAct<Input = void, Answer = unknown>({
  run,
  failText,
  isToasted = false,
  onDone,
  onFailure,
  onSettled,
}: ActOptions<Input, Answer>) {
  /** The running act. A ref, because the user may press the button a second time before the next render. */
  const underWay = useRef<AbortController>(null)
  /** Set by `start` at once. `isPending` turns true only later; until then, a switch would show its old state. */
  const [pressed, setPressed] = useState<Sent<Input>>()
  useEffect(() => () => underWay.current?.abort(), [])
  const textOf = (failed: unknown, input: Input) =>
    typeof failText === 'string' ? failureText(failed, failText) : failText(failed, input)
  const { mutate, reset, isPending, error, data, variables } = useMutation(
    {
      mutationFn: ({ input, signal }: Sent<Input>) => run(input, signal),
      onError: (failed, { input, signal }) => {
        if (!signal.aborted && onFailure?.(failed, input) === true) handled.add(failed)
        // Nobody waits any more for what an AbortError gave up: a download, or the browser's question for a passkey.
        else if (signal.aborted ? failed.name !== 'AbortError' : isToasted) toast.error(textOf(failed, input))
      },
      onSettled: () => {
        underWay.current = null
        setPressed(undefined)
        onSettled?.()
      },
      // The input may be a password, so it leaves the cache 1 s after the component has unmounted.
      gcTime: 1_000,
    },
    queryClient,
  )
  const sent = pressed ?? (isPending ? variables : undefined)
  return {
    isBusy: sent !== undefined,
    /** The sent input. A field shows it until the server has answered. */
    wish: sent?.input,
    answer: data,
    failure:
      error === null || handled.has(error) || variables === undefined ? undefined : textOf(error, variables.input),
    start: (input: Input) => {
      if (underWay.current) return
      const { signal } = (underWay.current = new AbortController())
      setPressed({ input, signal })
      mutate({ input, signal }, { onSuccess: (answer) => onDone?.(answer) })
    },
    /** Forgets the last failure. Does nothing while an act runs, since a reset would hide the failure of that act. */
    forget: () => {
      if (underWay.current === null) reset()
    },
  }
}
