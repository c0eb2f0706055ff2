import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('../../../shared/tools/market-emulator.mjs', import.meta.url))

/**
 * Whether the stand-in for the price services is in the folder beside this repository; without it its tests are
 * skipped.
 */
export const hasMarketEmulator = existsSync(script)

export type EmulatorFault = 'ok' | 'stall' | 'drop' | 'garbage' | '500' | '401' | 'old'

export interface MarketEmulator {
  readonly url: string
  /** Misbehaves for this long, in ms; `ok` ends it. */
  fault(mode: EmulatorFault, ms?: number): Promise<void>
  stop(): Promise<void>
}

/** Starts a process that speaks the protocols of the live price services, on a free port. */
export async function startMarketEmulator(key: string): Promise<MarketEmulator> {
  const child = spawn(process.execPath, [script, '--port', '0', '--key', key], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string]
  return {
    url,
    async fault(mode, ms = 60_000) {
      await fetch(`${url}/fault`, { method: 'POST', body: JSON.stringify({ mode, ms }) })
    },
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}
