import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join, relative } from 'node:path'
import type { Logger } from './log.ts'

const LINE_MAX = 4_096 + 256
const ANSWERED_WITHIN_MS = 30 * 60_000

/** The longest path of a Unix socket, in bytes: 107 on Linux; elsewhere 103, as on macOS. */
const PATH_BYTES = process.platform === 'linux' ? 107 : 103

/**
 * Returns the path of a folder's socket, absolute or relative to the working directory, whichever is shorter.
 * @throws Error with one line for the operator when the path is too long
 */
export function controlSocketPath(dataDir: string): string {
  const path = join(dataDir, 'control.sock')
  const fromHere = relative(process.cwd(), path)
  const shorter = Buffer.byteLength(fromHere) < Buffer.byteLength(path) ? fromHere : path
  const excess = Buffer.byteLength(shorter) - PATH_BYTES
  if (excess > 0)
    throw new Error(
      `DATA_DIR: the path is ${excess} bytes too long for the socket control.sock in it; choose a shorter one`,
    )
  return shorter
}

/**
 * Listens on a Unix socket in DATA_DIR for commands of the folder's owner (rules §3.4), because no second process can
 * open an embedded database. Returns a function that closes the socket.
 */
export async function openControlSocket(
  dataDir: string,
  log: Logger,
  handle: (command: string) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const path = controlSocketPath(dataDir)
  // A socket that exists already was left by a killed process: this process has the lock of the folder.
  rmSync(path, { force: true })
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => socket.destroy())
    readLine(socket)
      .then(handle)
      .then((answer) => socket.end(`${JSON.stringify(answer)}\n`))
      .catch((error: unknown) => {
        log.error({ err: error }, 'A command of the operator failed')
        socket.destroy()
      })
  })
  await once(server.listen(path), 'listening')
  server.on('error', (error) => log.error({ err: error }, 'The socket for operators failed'))
  chmodSync(path, 0o600)
  return async () => {
    for (const socket of open) socket.destroy()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
}

/**
 * Sends a command to the server of this folder. Returns null if no server is running.
 * @param withinMs the longest wait for the answer; null waits until the server answers or closes the connection
 * @throws Error if no answer comes
 */
export async function askControlSocket(
  dataDir: string,
  command: string,
  withinMs: number | null = ANSWERED_WITHIN_MS,
): Promise<unknown> {
  const socket = connect(controlSocketPath(dataDir))
  if (withinMs !== null) socket.setTimeout(withinMs, () => socket.destroy(new Error('the server did not answer')))
  try {
    await once(socket, 'connect')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return null
    throw error
  }
  socket.write(`${command}\n`)
  return JSON.parse(await readLine(socket, Number.POSITIVE_INFINITY)) as unknown
}

async function readLine(socket: Socket, limit: number = LINE_MAX): Promise<string> {
  let text = ''
  for await (const chunk of socket.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    text += String(chunk)
    const end = text.indexOf('\n')
    if (end >= 0) return text.slice(0, end)
    if (text.length > limit) throw new Error('the line is too long')
  }
  throw new Error('the connection ended without an answer')
}
