import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { end, isRunning, startOf } from '../scripts/cluster/processes.ts'
import { readHaproxy } from '../scripts/cluster/status.ts'
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

test('HAProxy is well where it leads to one PostgreSQL and to every process', () => {
  const line = (proxy: string, server: string, is: string) => `${proxy},${server},${'0,'.repeat(15)}${is},1`
  const csv = (pg2: string, process2: string) =>
    [
      '# pxname,svname',
      ...[line('postgres', 'FRONTEND', 'OPEN'), line('postgres', 'pg1', 'UP'), line('postgres', 'pg2', pg2)],
      ...[line('processes', 'process1', 'UP'), line('processes', 'process2', process2)],
      ...[line('processes', 'BACKEND', 'UP'), line('alive', 'process2', 'UP')],
    ].join('\n')
  const well = { says: 'leads to pg1 and to process1, process2', isWell: true }
  expect(readHaproxy(csv('DOWN', 'UP'))).toEqual(well)
  expect(readHaproxy(csv('DOWN', 'UP 1/2'))).toEqual(well)
  expect(readHaproxy(csv('DOWN', 'DOWN'))).toEqual({ says: 'leads to pg1 and to process1', isWell: false })
  expect(readHaproxy(csv('UP', 'UP')).isWell).toBe(false)
  expect(readHaproxy(csv('DOWN', 'UP').replaceAll('UP', 'DOWN')).says).toBe('leads to nowhere and to nowhere')
})

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  server.close()
  return port
}

test.skipIf(!existsSync('/usr/sbin/haproxy'))(
  'while no process is ready, HAProxy still leads to those that live (needs haproxy)',
  async () => {
    const ready = new Set<string>()
    const processes = ['process1', 'process2'].map((name) =>
      createServer(({ url }, answer) => {
        answer.writeHead(url !== '/readyz' || ready.has(name) ? 200 : 503).end(name)
      }),
    )
    const targets = await Promise.all(processes.map(listen))
    const [postgresPort, webPort, statsPort] = await Promise.all([freePort(), freePort(), freePort()])
    const folder = mkdtempSync(join(tmpdir(), 'haproxy-'))
    const file = join(folder, 'haproxy.cfg')
    const config = fillTemplate(readFileSync('deploy/cluster/haproxy.cfg', 'utf8'), {
      ...{ host: '127.0.0.1', maxConnections: 100, postgresPort, webPort, statsPort },
      postgresServers: '    server pg1 127.0.0.1:9 check',
      webServers: targets.map((port, at) => `    server process${at + 1} 127.0.0.1:${port} check`).join('\n'),
    })
    writeFileSync(file, config)
    const haproxy = spawn('/usr/sbin/haproxy', ['-db', '-f', file], { stdio: 'ignore' })
    const ask = () =>
      fetch(`http://127.0.0.1:${webPort}/`).then(
        async (answer) => (answer.ok ? answer.text() : String(answer.status)),
        () => 'nothing',
      )
    const answers = async () => new Set(await Promise.all(Array.from({ length: 8 }, ask)))
    try {
      // It takes every server for well until its first checks have failed.
      const down = () => fetch(`http://127.0.0.1:${statsPort}/;csv`).then((answer) => answer.text())
      await expect
        .poll(async () => readHaproxy(await down()).says, { timeout: 10_000 })
        .toBe('leads to nowhere and to nowhere')
      expect(await answers()).toEqual(new Set(['process1', 'process2']))
      ready.add('process2')
      await expect.poll(answers, { timeout: 10_000 }).toEqual(new Set(['process2']))
    } finally {
      const ended = once(haproxy, 'exit')
      haproxy.kill('SIGKILL')
      await ended
      for (const server of processes) server.close()
      rmSync(folder, { recursive: true })
    }
  },
)
