import { Socket } from 'node:net'
import { format } from 'node:util'
import { afterEach, beforeEach } from 'vitest'

/*
 * Fails tests that print an error or connect to another machine. (An unhandled rejection fails the run by itself.) A
 * test that expects a printed error replaces console.error with a spy of its own.
 */

/** Names under .test resolve nowhere (RFC 6761 §6.2): a test that uses one answers its look-up by itself. */
const OF_THIS_MACHINE = /^(localhost|127\.\d+\.\d+\.\d+|::1|[a-z.]+\.test)$/

const complaints = watched()

/** The list that complaints go to. A worker runs this for each of its files, and watches from its first one on. */
function watched(): string[] {
  const kept = globalThis as { complaintsOfTests?: string[] }
  if (kept.complaintsOfTests !== undefined) return kept.complaintsOfTests
  const list: string[] = (kept.complaintsOfTests = [])

  const printError = console.error
  console.error = (...args: unknown[]) => {
    list.push(`console.error: ${format(...args)}`)
    printError(...args)
  }

  const prototype = Socket.prototype as { connect: (this: Socket, ...args: unknown[]) => Socket }
  const { connect } = prototype
  prototype.connect = function (...args) {
    const host = hostOf(args)
    if (host !== null && !OF_THIS_MACHINE.test(host)) {
      list.push(`a network call to ${host}`)
      throw new Error(`A test made a network call to ${host}`)
    }
    return connect.apply(this, args)
  }
  return list
}

/** The host of a net.Socket.connect call, null for a Unix socket. Node itself passes the arguments as an array. */
function hostOf(args: readonly unknown[]): string | null {
  const [first, second] = Array.isArray(args[0]) ? (args[0] as unknown[]) : args
  if (typeof first === 'object' && first !== null) {
    const { path, host } = first as { path?: unknown; host?: unknown }
    return typeof path === 'string' ? null : typeof host === 'string' ? host : 'localhost'
  }
  if (typeof first === 'string' && !/^\d+$/.test(first)) return null
  return typeof second === 'string' ? second : 'localhost'
}

beforeEach(() => {
  complaints.length = 0
})

afterEach(() => {
  if (complaints.length > 0) throw new Error(`The test was not quiet:\n${complaints.splice(0).join('\n')}`)
})
