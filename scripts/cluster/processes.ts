import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'

export interface Member {
  readonly name: string
  readonly pid: number
  /** Start time in clock ticks since the boot. It distinguishes a process from a later one with the same pid. */
  readonly startedAt: string
  readonly launch: Launch
}

/** Returns a process's start time in clock ticks since the boot (proc(5), stat, field 22); null if the pid is free. */
export function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is a name in brackets that may contain spaces and brackets, so count fields after its end.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}

export const isRunning = ({ pid, startedAt }: Pick<Member, 'pid' | 'startedAt'>): boolean => {
  const stat = startOf(pid)
  return stat !== null && stat === startedAt
}

export interface Launch {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly address: string
  readonly log: string
  readonly env?: Readonly<Record<string, string>>
  /** The user that runs the process; by default the user of this script. */
  readonly owner?: Owner | null
}

export interface Owner {
  readonly uid: number
  readonly gid: number
}

/** Starts a process that goes on running when this script ends. */
export function launch(how: Launch): {
  readonly member: Member
  readonly child: ChildProcess
} {
  const { name, command, args, log, env, owner } = how
  const output = openSync(log, 'a')
  const child = spawn(command, args, {
    detached: true,
    stdio: ['ignore', output, output],
    env: { ...process.env, ...env },
    ...owner,
  })
  child.unref()
  const { pid } = child
  if (pid === undefined) throw new Error(`${command} could not be started`)
  return { member: { name, pid, startedAt: startOf(pid) ?? '', launch: how }, child }
}

export async function end(members: readonly Pick<Member, 'pid' | 'startedAt'>[], patienceMs: number): Promise<void> {
  const signal = (name: NodeJS.Signals) => {
    for (const one of members) if (isRunning(one)) process.kill(one.pid, name)
  }
  signal('SIGTERM')
  // A process that SIGSTOP has stopped handles SIGTERM only after SIGCONT.
  signal('SIGCONT')
  const endMs = Date.now() + patienceMs
  while (members.some(isRunning) && Date.now() < endMs) await new Promise((resolve) => setTimeout(resolve, 100))
  signal('SIGKILL')
  while (members.some(isRunning)) await new Promise((resolve) => setTimeout(resolve, 50))
}

export const ownerOf = (name: string): Owner => {
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}
