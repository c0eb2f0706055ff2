import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inTemporaryFolder } from './temporary-folder.ts'

test('a temporary folder is removed when its work has ended or failed', async () => {
  const folders: string[] = []
  const done = await inTemporaryFolder('kim-phien-test-', async (folder) => folders.push(folder))
  const failing = inTemporaryFolder('kim-phien-test-', async (folder) => {
    folders.push(folder)
    throw new Error('work failed')
  })
  await expect(failing).rejects.toThrow('work failed')
  expect([done, folders.length, folders.some((folder) => existsSync(folder))]).toEqual([1, 2, false])
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('a temporary folder is removed at %s', async (signal, code) => {
  const work = `import { inTemporaryFolder } from './server/platform/process/temporary-folder.ts'
    import { writeFileSync } from 'node:fs'
    await inTemporaryFolder('kim-phien-test-', async (folder) => {
      writeFileSync(folder + '/audit.key', '')
      process.stdout.write(folder)
      await new Promise((resolve) => setTimeout(resolve, 60_000))
    })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', work], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  const folder = said.toString()
  expect(existsSync(`${folder}/audit.key`)).toBe(true)
  child.kill(signal)
  expect(await once(child, 'exit')).toEqual([code, null])
  expect(existsSync(folder)).toBe(false)
})
