// Gate: each server of it is a command of its own.
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { parseVkey, verifyNote } from '#domain/book/note.ts'
import { rootOf } from '#domain/book/merkle.ts'
import { consistencyProof } from '#domain/book/tiles.ts'
import { formatAddCheckpoint } from '#domain/book/witness.ts'
import { bookKeyOf } from '#server/features/book/index.ts'
import { sha256, testLog, verifyEd25519 } from '#testing/book/test-log.ts'
import { startWitness, type Witness, type WitnessOptions } from './witness-service.ts'

let folder = ''
const open: Witness[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'witness-'))
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((witness) => witness.close()))
  rmSync(folder, { recursive: true, force: true })
})

const NOW = 1_700_000_000
async function start(log: ReturnType<typeof testLog>, more: Partial<WitnessOptions> = {}) {
  const witness = await startWitness({
    port: 0,
    host: '127.0.0.1',
    name: 'w.example/1',
    key: bookKeyOf(Buffer.alloc(32, 9)),
    stateDir: folder,
    logs: [{ key: parseVkey(sha256, log.vkey)!, url: null }],
    nowSeconds: () => NOW,
    say: () => undefined,
    ...more,
  })
  open.push(witness)
  return witness
}
async function add(witness: Witness, body: string) {
  const answer = await fetch(`${witness.url}/add-checkpoint`, { method: 'POST', body })
  return { status: answer.status, type: answer.headers.get('content-type'), body: await answer.text() }
}
const proofOf = (log: ReturnType<typeof testLog>, from: number, to: number) => {
  const leaves = log.leafHashes().slice(0, to)
  const read = (level: number, index: number) =>
    rootOf(sha256, leaves.slice(index * 256 ** level, (index + 1) * 256 ** level))
  return consistencyProof(sha256, read, from, to)
}
const bodyOf = (log: ReturnType<typeof testLog>, from: number, to: number, checkpoint = log.note(log.textOf(to))) =>
  formatAddCheckpoint({ oldSize: from, proof: from > to ? [] : proofOf(log, from, to), checkpoint })

const isSignedBy = (witness: Witness, note: string) => {
  const verified = verifyNote(note, [parseVkey(sha256, witness.vkey)!], verifyEd25519)
  return typeof verified === 'string' ? verified : verified.verified.map(({ time }) => time)
}

describe('add-checkpoint', () => {
  test('cosigns each checkpoint that extends the last, which outlives the process', async () => {
    const log = testLog()
    log.grow(700)
    let witness = await start(log)
    let last = 0
    for (const size of [0, 1, 256, 256, 700]) {
      const { status, body } = await add(witness, bodyOf(log, last, size))
      expect(status).toBe(200)
      expect(body).toMatch(/^— w\.example\/1 [A-Za-z0-9+/=]+\n$/)
      expect(isSignedBy(witness, log.note(log.textOf(size)) + body)).toEqual([NOW])
      last = size
      if (size === 1) {
        await witness.close()
        open.length = 0
        witness = await start(log)
      }
    }
    const origin = createHash('sha256').update('a.example/log').digest('hex')
    const kept = await fetch(`${witness.url}/${origin}/checkpoint`)
    const note = await kept.text()
    expect(isSignedBy(witness, note)).toEqual([NOW])
    expect(verifyNote(note, [parseVkey(sha256, log.vkey)!], verifyEd25519)).toMatchObject({ text: log.textOf(700) })
  })

  test('answers every status of the standard, and signs nothing by it', async () => {
    const log = testLog()
    log.grow(700)
    const witness = await start(log)
    const forged = testLog()
    forged.grow(700)
    forged.rewrite(5, 'something else')
    const status = async (body: string) => (await add(witness, body)).status

    // Before the first checkpoint.
    expect(await add(witness, bodyOf(log, 5, 10))).toEqual({ status: 409, type: 'text/x.tlog.size', body: '0\n' })
    expect(await status(bodyOf(log, 0, 10).replace('old 0\n', `old 0\n${'A'.repeat(43)}=\n`))).toBe(422)
    expect(await status(bodyOf(log, 0, 0, log.note(log.textOf(1).replace('\n1\n', '\n0\n'))))).toBe(422)
    const origin = createHash('sha256').update('a.example/log').digest('hex')
    expect((await fetch(`${witness.url}/${origin}/checkpoint`)).status).toBe(404)
    expect(await status(bodyOf(log, 0, 300))).toBe(200)

    const { body } = await add(witness, bodyOf(log, 0, 700))
    expect(body).toBe('300\n')
    expect(await status(bodyOf(log, 300, 200))).toBe(400)
    expect(await status(bodyOf(log, 300, 700).replace('old 300', 'old 0300'))).toBe(400)
    expect(await status(bodyOf(log, 300, 700).replace('old', 'size'))).toBe(400)
    expect(await status('')).toBe(400)
    const tooMany = `old 300\n${`${'A'.repeat(43)}=\n`.repeat(64)}\n${log.note()}`
    expect(await status(tooMany)).toBe(400)
    expect(await status(bodyOf(testLog('b.example/log'), 0, 0))).toBe(404)
    expect(await status(bodyOf(log, 300, 700, testLog('a.example/log', 2).note(log.textOf(700))))).toBe(403)
    expect(await status(bodyOf(log, 300, 700, log.note().replace('\n700\n', '\n701\n')))).toBe(403)
    expect(await status(bodyOf(forged, 300, 700))).toBe(422)
    expect(await status(bodyOf(forged, 300, 300))).toBe(422)
    expect(await status(bodyOf(log, 300, 700).replace(/^(old 300\n).{45}/s, '$1'))).toBe(422)
    expect((await fetch(`${witness.url}/add-checkpoint`)).status).toBe(405)
    expect(await status(`old 300\n\n${'x'.repeat(70_000)}`)).toBe(413)

    expect((await add(witness, bodyOf(log, 0, 700))).body).toBe('300\n')
  })

  test('lets one of many at once pass, and never goes back', async () => {
    const log = testLog()
    log.grow(700)
    const witness = await start(log)
    await add(witness, bodyOf(log, 0, 100))
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => add(witness, bodyOf(log, 100, 700 - at))))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
    const size = 700 - answers.findIndex(({ status }) => status === 200)
    expect((await add(witness, bodyOf(log, 1, 700))).body).toBe(`${size}\n`)
  })

  test('does not start beside another process, or with a state that is no checkpoint', async () => {
    const log = testLog()
    log.grow(3)
    const witness = await start(log)
    await add(witness, bodyOf(log, 0, 3))
    await expect(start(log)).rejects.toThrow(/another|other/i)
    await witness.close()
    open.length = 0
    const name = readdirSync(folder).find((file) => /^[0-9a-f]{64}$/.test(file))!
    writeFileSync(join(folder, name), readFileSync(join(folder, name), 'utf8').replace('\n3\n', '\n2\n'))
    await expect(start(log)).rejects.toThrow(/is not a checkpoint of a\.example\/log/)
  })
})

test('a witness that knows the host asks for the checkpoints, and says when history was changed', async () => {
  const log = testLog()
  log.grow(300)
  const server = createServer((request, response) => {
    void log.get(request.url ?? '').then(({ status, bytes }) => response.writeHead(status).end(bytes))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const said: string[] = []
  const witness = await start(log, {
    logs: [{ key: parseVkey(sha256, log.vkey)!, url }],
    askEveryMs: 20,
    say: (origin, problem) => said.push(`${origin} ${problem}`),
  })
  const origin = createHash('sha256').update('a.example/log').digest('hex')
  const sizeSeen = async () => (await (await fetch(`${witness.url}/${origin}/checkpoint`)).text()).split('\n')[1]
  await vi.waitFor(async () => expect(await sizeSeen()).toBe('300'), 5_000)
  log.grow(900)
  await vi.waitFor(async () => expect(await sizeSeen()).toBe('900'), 5_000)
  expect(said).toEqual([])
  log.rewrite(5, 'something else')
  log.grow(950)
  await vi.waitFor(() => expect(said.join()).toMatch(/^a\.example\/log fault: \{"kind":"note-forked"/), 5_000)
  expect(await sizeSeen()).toBe('900')
  server.closeAllConnections()
  server.close()
})
