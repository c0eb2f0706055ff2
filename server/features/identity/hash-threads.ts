import { Worker } from 'node:worker_threads'
import type { HashAnswer, HashOrder } from './hash-thread.ts'

interface Thread {
  readonly waiting: number
  run(password: string, passwordHash: string | null): Promise<string | boolean>
}

function startThread(onEnd: (thread: Thread) => void): Thread {
  const worker = new Worker(new URL('./hash-thread.ts', import.meta.url))
  const waiting = new Map<number, PromiseWithResolvers<string | boolean>>()
  let orders = 0
  // The thread keeps the process alive only while a caller waits for an answer.
  worker.unref()

  const thread: Thread = {
    get waiting() {
      return waiting.size
    },
    run(password, passwordHash) {
      const order: HashOrder = { id: orders++, password, passwordHash }
      const asked = Promise.withResolvers<string | boolean>()
      waiting.set(order.id, asked)
      worker.ref()
      worker.postMessage(order, [])
      return asked.promise
    },
  }
  const end = (error: unknown): void => {
    onEnd(thread)
    for (const asked of waiting.values()) asked.reject(error)
    waiting.clear()
  }
  worker.on('message', (answer: HashAnswer) => {
    const asked = waiting.get(answer.id)
    waiting.delete(answer.id)
    if (waiting.size === 0) worker.unref()
    if ('failure' in answer) asked?.reject(new Error(answer.failure))
    else asked?.resolve(answer.value)
  })
  worker.on('error', end)
  worker.on('exit', (code) => end(new Error(`A thread that hashes passwords ended with ${code}`)))
  return thread
}

/**
 * Returns a function that hashes or verifies passwords in at most `count` threads, which start when needed. Each order
 * is sent to a thread immediately and waits there, so a busy main thread does not delay the hashing.
 */
export function createHashThreads(count: number): Thread['run'] {
  let threads: Thread[] = []
  const forget = (ended: Thread): void => {
    threads = threads.filter((thread) => thread !== ended)
  }
  return (password, passwordHash) => {
    let least = threads.toSorted((a, b) => a.waiting - b.waiting)[0]
    if (least === undefined || (least.waiting > 0 && threads.length < count)) {
      least = startThread(forget)
      threads.push(least)
    }
    return least.run(password, passwordHash)
  }
}
