import { parseArgs } from 'node:util'
import { createLog } from '#server/platform/process/log.ts'
import { reasonOf } from '#server/platform/process/reason-of.ts'
import { judgeProcessSettings, type Settings } from '#server/platform/process/settings.ts'
import { backupFolderOf } from '#server/installation/backup-file.ts'
import {
  examineBackups,
  examineDisk,
  examineOwner,
  type Finding,
  findingText,
  judgeNotOpened,
  judgeRehearsal,
  judgeRelease,
  ok,
  skipped,
  whyNotOpened,
  wrong,
} from '#server/installation/doctor.ts'
import { examineRedis, examineSocket, judgeProxy } from '#server/installation/examine-connections.ts'
import { readRehearsal } from '#server/installation/rehearsal.ts'
import { askOperator } from './operator-commands.ts'

/**
 * `npm run doctor [-- --url https://host]`: examines an installation and prints a line for each part, with what to do
 * about a fault (docs/operations.md). Exits with 1 when there are faults, and with 2 when it cannot run.
 */
let isWrong = false
function say(finding: Finding): void {
  isWrong ||= finding.is === 'wrong'
  process.stdout.write(findingText(finding))
}

async function examine(settings: Settings, url: string | null): Promise<void> {
  const { databaseUrl, dataDir, redisUrl, backupEvery } = settings
  say(judgeRelease(dataDir))
  const unopened = whyNotOpened(settings)
  if (unopened === null)
    try {
      for (const finding of await askOperator(settings, 'doctor')) say(finding)
    } catch (error) {
      say(judgeNotOpened(error, databaseUrl !== null))
    }
  else say(unopened)
  say(await examineDisk('DATA_DIR', dataDir))
  say(await examineOwner(dataDir))
  if (databaseUrl === null) {
    const folder = backupFolderOf(settings)
    if (settings.backupDir !== null) say(await examineDisk('BACKUP_DIR', folder))
    say(await examineBackups(folder, backupEvery === 'off' ? null : backupEvery * 60_000))
    say(judgeRehearsal(readRehearsal(dataDir)))
  }
  if (redisUrl !== null) say(await examineRedis(redisUrl, createLog('silent')))
  say(judgeProxy(settings.publicOrigin ?? url, settings.trustProxy))
  say(url === null ? skipped('WebSocket: not looked at', 'set PUBLIC_ORIGIN, or give --url') : await examineSocket(url))
}

try {
  const { values } = parseArgs({ options: { url: { type: 'string' } } })
  if (values.url !== undefined && !URL.canParse(values.url)) throw new Error('npm run doctor -- --url https://host')
  say(ok(`Node: ${process.versions.node}`))
  const { settings, problems } = judgeProcessSettings()
  for (const problem of problems) say(wrong(`Settings: ${problem}`, 'mend it'))
  if (problems.length === 0) say(ok('Settings: all are known and allowed'))
  if (settings !== null) await examine(settings, values.url ?? settings.publicOrigin)
  process.exitCode = isWrong ? 1 : 0
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`)
  process.exitCode = 2
}
