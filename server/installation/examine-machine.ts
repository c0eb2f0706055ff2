import { execFile } from 'node:child_process'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { nearestFolder } from '#server/platform/process/folder-owner.ts'
import { reasonOf } from '#server/platform/process/reason-of.ts'
import type { Settings } from '#server/platform/process/settings.ts'
import { judgeProxy, whyNoAnswer } from './examine-connections.ts'
import { examineDisk, type Finding, look, medianMs, ok, skipped, SLOW_COMMIT_MS, wrong } from './doctor.ts'

const ANSWER_WITHIN_MS = 5_000

export async function examineMachine(settings: Settings): Promise<Finding[]> {
  const { publicOrigin, trustProxy, dataDir, backupDir, host, port } = settings
  const folders = [['DATA_DIR', dataDir] as const, ...(backupDir === null ? [] : [['BACKUP_DIR', backupDir] as const])]
  return [
    ...(publicOrigin === null
      ? []
      : [await examineName(new URL(publicOrigin).hostname), judgeProxy(publicOrigin, trustProxy)]),
    await examinePort(host, port),
    await examineTime(),
    ...(await Promise.all(folders.map(([name, folder]) => examineFolder(name, folder)))).flat(),
    await examineFeed(settings),
  ]
}

/**
 * A name that resolves to another address is not reported as a fault: behind address translation (NAT), a machine does
 * not know its public address.
 */
const examineName = (name: string): Promise<Finding> =>
  look(
    'Name',
    `make a record A (and AAAA) of ${name} with this machine's address, where the name was bought`,
    async () => {
      const found = (await lookup(name, { all: true })).map(({ address }) => address)
      const own = Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address))
      return found.some((address) => own.includes(address))
        ? ok(`Name: ${name} leads to this machine`)
        : skipped(
            `Name: ${name} leads to ${found.join(', ')}`,
            'see that this is this machine’s address on the internet',
          )
    },
  )

async function examinePort(host: string, port: number): Promise<Finding> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return ok(`Port: ${port} is free`)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      ? skipped(`Port: ${port} is in use`, 'right if Kim Phiên runs already; else choose another with --port')
      : wrong(`Port: ${reasonOf(error)}`, 'choose another with --port')
  } finally {
    server.close()
  }
}

async function examineTime(): Promise<Finding> {
  const asked = promisify(execFile)('timedatectl', ['show', '--property=NTPSynchronized', '--value'])
  const says = await asked.then(({ stdout }) => stdout.trim()).catch(() => '')
  if (says === 'yes') return ok('Time: set by NTP')
  if (says === 'no') return wrong('Time: no NTP sets this clock', 'timedatectl set-ntp true')
  return skipped('Time: systemd says nothing of NTP', 'see that something sets this machine’s clock')
}

async function examineFolder(name: string, folder: string): Promise<Finding[]> {
  const path = resolve(folder)
  const todo = `choose another folder, or mend ${path}`
  const there = nearestFolder(path)
  if (!statSync(there).isDirectory()) return [wrong(`${name}: ${there} is a file`, todo)]
  const [disk, sync] = [await examineDisk(name, there), await look(name, todo, () => judgeSync(name, there))]
  return [disk, sync]
}

async function judgeSync(name: string, folder: string): Promise<Finding> {
  const own = mkdtempSync(join(folder, '.kim-phien-'))
  const file = openSync(join(own, 'sync'), 'w', 0o600)
  try {
    const tookMs = await medianMs(() => {
      writeSync(file, 'x')
      fsyncSync(file)
    })
    const what = `Disk of ${name}: a write is on it in ${tookMs.toFixed(1)} ms`
    return tookMs <= SLOW_COMMIT_MS ? ok(what) : wrong(what, 'use a faster disk: every bet waits for it')
  } finally {
    closeSync(file)
    rmSync(own, { recursive: true })
  }
}

async function examineFeed({ goldFeed, pythApiKey, pythUrl, swissquoteUrl }: Settings): Promise<Finding> {
  const isPyth = goldFeed === 'pyth' || (goldFeed === 'auto' && pythApiKey !== null)
  if (goldFeed === 'simulated' || (goldFeed === 'auto' && !isPyth)) return ok('Gold: simulated, needs nothing')
  if (isPyth && pythApiKey === null)
    return wrong('Gold: pyth needs a key', 'get one from https://pyth.network, or --gold swissquote')
  const url = isPyth ? pythUrl : swissquoteUrl
  return look(`Gold: ${url}`, 'see that this machine reaches it, or take --gold simulated', async () => {
    await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).catch((error: unknown) => {
      throw new Error(whyNoAnswer(error), { cause: error })
    })
    return ok(`Gold: ${url} answers`)
  })
}
