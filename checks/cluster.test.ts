import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { end, isRunning, startOf } from '../scripts/cluster/processes.ts'
import { fillTemplate } from '../scripts/cluster/template.ts'

test('a template is filled in wholly, and with nothing that it has no place for', () => {
  expect(fillTemplate('port {{port}} of {{host}}, {{port}}', { port: 1, host: 'h' })).toBe('port 1 of h, 1')
  expect(() => fillTemplate('{{port}} {{host}}', { port: 1 })).toThrow(/host/)
  expect(() => fillTemplate('{{port}}', { port: 1, host: 'h' })).toThrow(/host/)
})

test('every configuration is a template that says why', () => {
  const names = readdirSync('deploy/cluster')
  expect(names.toSorted()).toEqual(['haproxy.cfg', 'patroni.yml', 'redis.conf', 'sentinel.conf'])
  for (const name of names) {
    const text = readFileSync(`deploy/cluster/${name}`, 'utf8')
    expect(text).toMatch(/^#/)
    expect(text).toMatch(/\{\{\w+\}\}/)
  }
})

test('a process serves on for longer than HAProxy needs to see that it ends, and ends within 10 s', () => {
  const processes = readFileSync('deploy/cluster/haproxy.cfg', 'utf8').split('\nbackend processes\n')[1] ?? ''
  const [, inter, fall] = /default-server inter (\d+)s fall (\d+)/.exec(processes) ?? []
  const [, graceMs] = /GRACE_MS = ([\d_]+)/.exec(readFileSync('server/main.ts', 'utf8')) ?? []
  for (const name of ['scripts/cluster/start.ts', 'deploy/image/Containerfile', 'deploy/systemd/kim-phien.service']) {
    const [, drain] = /DRAIN_SECONDS(?:=|: ')(\d+)/.exec(readFileSync(name, 'utf8')) ?? []
    expect(Number(drain)).toBeGreaterThan(Number(inter) * Number(fall))
    expect(Number(drain) * 1000 + Number(graceMs?.replaceAll('_', ''))).toBeLessThanOrEqual(10_000)
  }
})

test('a process is ended only as long as it is the one that was started', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  await once(child, 'spawn')
  const pid = child.pid ?? 0
  const startedAt = startOf(pid) ?? ''
  expect(isRunning({ pid, startedAt })).toBe(true)
  // Another process has its number by now.
  const other = { pid, startedAt: `${Number(startedAt) - 1}` }
  expect(isRunning(other)).toBe(false)
  await end([other], 100)
  expect(isRunning({ pid, startedAt })).toBe(true)
  const ended = once(child, 'exit')
  await end([{ pid, startedAt }], 5_000)
  expect(await ended).toEqual([null, 'SIGTERM'])
  expect(isRunning({ pid, startedAt })).toBe(false)
})
