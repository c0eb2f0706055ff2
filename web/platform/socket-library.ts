import './zod.ts'
import * as z from 'zod/mini'
import {
  type ClientEvent,
  type ClientEventName,
  clientEvents,
  type ClientRefusal,
  clientRefusals,
  type ServerEvent,
  type ServerEventName,
  serverEvents,
} from '#contract/events.ts'
import { readRefusal, type RefusalCode } from '#contract/refusals.ts'

export { io } from 'socket.io-client'

export const serverEventNames = Object.keys(serverEvents) as readonly ServerEventName[]

export function writeEvent<Name extends ClientEventName>(name: Name, payload: ClientEvent<Name>): unknown {
  return z.encode(clientEvents[name], payload)
}

export function readEvent<Name extends ServerEventName>(name: Name, wire: unknown): ServerEvent<Name> | undefined {
  const payload = z.safeDecode(serverEvents[name], wire)
  return payload.success ? (payload.data as ServerEvent<Name>) : undefined
}

export function readCode<Name extends ClientEventName>(name: Name, code: unknown): ClientRefusal<Name> | 'UNKNOWN' {
  const named: Partial<Record<ClientEventName, readonly RefusalCode[]>> = clientRefusals
  return readRefusal(code, named[name] ?? []) as ClientRefusal<Name> | 'UNKNOWN'
}
