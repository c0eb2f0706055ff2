import { useEffect, useState } from 'react'
import { freshFactor, type HttpAnswer } from '#web/platform/api.ts'
import { refusalOf } from '#web/platform/http.ts'
import { useLazyPart } from '#web/platform/lazy-part.ts'
import { reconnectNow } from '#web/platform/socket.ts'

const loadDialog = () => import('#web/features/identity/fresh-factor-dialog.tsx')

type Asked = { readonly answer: (isProven: boolean) => void }

/**
 * If a call is refused because it needs a fresh second factor, asks the user for the factor and then sends the call
 * again (rules §4.10). Calls that are refused at the same time share one dialog.
 */
export function FreshFactor() {
  const [asked, setAsked] = useState<Asked | null>(null)
  useEffect(() => {
    const before = freshFactor.asking
    let asking: Promise<boolean> | null = null
    const ask = () =>
      (asking ??= new Promise<boolean>((resolve) => {
        const answer = (isProven: boolean) => {
          asking = null
          setAsked(null)
          // The server may also have refused the socket for lack of a fresh factor.
          if (isProven) reconnectNow()
          resolve(isProven)
        }
        setAsked({ answer })
      }))
    freshFactor.asking = async (send): Promise<HttpAnswer> => {
      try {
        return await send()
      } catch (error) {
        if (refusalOf(error)?.code !== 'FACTOR_REQUIRED' || !(await ask())) throw error
        return send()
      }
    }
    return () => {
      freshFactor.asking = before
    }
  }, [])
  const { part } = useLazyPart(loadDialog, asked !== null)
  if (asked === null || part === undefined) return null
  return <part.FreshFactorDialog onProven={() => asked.answer(true)} onClose={() => asked.answer(false)} />
}
