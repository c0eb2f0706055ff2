// Finds and ends processes that run from this folder, for scripts/update.mjs.
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from './project.mjs'

/** Returns the words of a process's command line; none if the process has ended or the system is not Linux. */
export function wordsOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}
export const saysProcesses = existsSync('/proc/self/cwd')

export const SERVER = /^server\/main\.ts$/
const OURS =
  /^server\/commands\/(backup|restore|log-restart|facts|audit-ledger|audit-log)\.ts$|^(pg_dump|pg_restore|psql)$/

export function programsHere(word) {
  const isHere = (pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(root)
    } catch {
      return false
    }
  }
  const isMeant = (pid) => wordsOf(pid).some((one) => word.test(one)) && isHere(pid)
  return saysProcesses ? readdirSync('/proc').filter(isMeant) : []
}

/** Ends the programs of an interrupted update that still run here. They can be ended at any time without harm. */
export async function endLeftOver() {
  const ended = programsHere(OURS)
  for (const pid of ended)
    try {
      process.kill(Number(pid), 'SIGTERM')
    } catch {
      // The program has ended by itself.
    }
  while (programsHere(OURS).some((pid) => ended.includes(pid))) await sleep(100)
}
