import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { CommitUnknownError } from './db.ts'
import type { Database } from './db.ts'
import { openNative, openNativeConnections, POOL_SIZES } from './native.ts'
import { isDatabaseAway } from './transaction.ts'
import { retrying } from '#server/platform/process/retrying.ts'
import { openTestDatabase, testEngines } from '#testing/database/test-database.ts'

describe.runIf(testEngines.includes('native'))('the native engine (PostgreSQL only)', () => {
  let shared: Database & { readonly url: string | null }
  let db: Database
  let url: string

  beforeAll(async () => {
    shared = await openTestDatabase('native')
    url = shared.url as string
    await shared.query('create table item (id bigint primary key)')
  })
  afterAll(() => shared.close())
  beforeEach(async () => {
    await shared.query('truncate item')
    db = openNative({ url, max: 1 })
  })
  afterEach(() => db.close())

  const backend = async (on: { query: Database['query'] } = db) =>
    (await on.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid as number
  const terminate = (pid: number) => shared.query('select pg_terminate_backend($1)', [pid])
  const insert = 'insert into item values ($1)'
  const count = async () => (await shared.query<{ n: number }>('select count(*)::int4 as n from item')).rows[0]?.n

  test('an SQL error costs no connection, inside a transaction or outside', async () => {
    const pid = await backend()
    await expect(db.query('select 1/0')).rejects.toMatchObject({ code: '22012' })
    await expect(db.tx((tx) => tx.query('select 1/0'))).rejects.toMatchObject({ code: '22012' })
    await expect(db.tx((tx) => tx.commitWith('select 1/0'))).rejects.toMatchObject({ code: '22012' })
    expect(await backend()).toBe(pid)
  })

  test('a connection that dies while idle is replaced', async () => {
    const pid = await backend()
    await terminate(pid)
    await expect.poll(() => backend().catch(() => pid)).not.toBe(pid)
  })

  test('a connection that dies inside a transaction fails it, and only it', async () => {
    const outcome = db.tx(async (tx) => {
      await tx.query(insert, [1])
      await terminate(await backend(tx))
      await tx.query(insert, [2])
    })
    await expect(outcome).rejects.toThrow()
    await db.query(insert, [3])
    expect(await count()).toBe(1)
  })

  test('a backend that is terminated between the last statement and COMMIT leaves the outcome unknown', async () => {
    const outcome = db.tx(async (tx) => {
      await tx.query(insert, [1])
      await terminate(await backend(tx))
    })
    await expect(outcome).rejects.toBeInstanceOf(CommitUnknownError)
    expect(await count()).toBe(0)
  })

  test('a statement that takes too long is cancelled by the server', async () => {
    const hurried = openNative({ url, max: 1, statementTimeoutMs: 50 })
    await expect(hurried.query('select pg_sleep(5)')).rejects.toMatchObject({ code: '57014' })
    await hurried.query('select 1')
    await hurried.close()
  })

  test('a transaction whose process sends nothing for too long is rolled back, and its locks are free', async () => {
    const idle = openNative({ url, max: 1, idleInTxTimeoutMs: 100 })
    for (const ends of ['with a statement', 'with COMMIT', 'with both at once']) {
      let effects = 0
      const outcome = idle.tx(async (tx) => {
        tx.afterCommit(() => effects++)
        await tx.query(insert, [1])
        // As with SIGSTOP: during this wait nothing is read or sent.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400)
        if (ends === 'with a statement') await tx.query(insert, [2])
        if (ends === 'with both at once') await tx.commitWith(insert, [2])
      })
      // Never an unknown outcome: the server reports that it did not read what was sent later.
      await expect(outcome).rejects.toMatchObject({ code: '25P03' })
      expect([effects, await count()]).toEqual([0, 0])
    }
    let attempts = 0
    await retrying(idle, async (tx) => {
      await tx.query(insert, [1])
      if (++attempts === 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400)
    })
    expect([attempts, await count()]).toEqual([2, 1])
    await idle.close()
  })

  test('waiting for a lock ends after the lock timeout', async () => {
    const hurried = openNative({ url, max: 1, lockTimeoutMs: 50 })
    await shared.query(insert, [1])
    await db.tx(async (tx) => {
      await tx.query('select 1 from item for update')
      await expect(hurried.query('update item set id = 2')).rejects.toMatchObject({ code: '55P03' })
    })
    await hurried.query('update item set id = 2')
    await hurried.close()
  })

  test('each purpose has connections of its own, and none is taken inside a transaction of another', async () => {
    const connections = openNativeConnections(url)
    const holding = Array.from({ length: POOL_SIZES.requests + 5 }, () =>
      connections.requests.query('select pg_sleep(1)'),
    )
    const startedAt = performance.now()
    for (const name of ['engine', 'sessions', 'bets', 'publicReads'] as const) await connections[name].query('select 1')
    expect(performance.now() - startedAt).toBeLessThan(900)
    await Promise.all(holding)
    await connections.requests.tx(async (tx) => {
      await tx.query('select 1')
      await expect(connections.engine.query('select 1')).rejects.toThrow(/inside tx/)
    })
    const { rows } = await shared.query<{ name: string; n: number }>(
      `select application_name as name, count(*)::int4 as n from pg_stat_activity
        where datname = current_database() and application_name like 'kim-phien %' group by 1 order by 1`,
    )
    expect(rows.find(({ name }) => name === 'kim-phien requests')?.n).toBe(POOL_SIZES.requests)
    await connections.close()
  })

  test('more work than connections waits its turn', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, id) => db.tx((tx) => tx.query(insert, [id]))))
    expect(await count()).toBe(20)
  })

  describe('with several hosts', () => {
    let several: Database
    let free: () => void
    const openSeveral = (first: string, second: string): void => {
      several = openNative({ url: url.replace(new URL(url).host, `${first},${second}`), max: 1 })
    }
    /** Keeps the only connection until `free` is called, then ends it with this statement. */
    async function hold(last: string): Promise<{ readonly held: Promise<unknown> }> {
      const { promise, resolve } = Promise.withResolvers<void>()
      const started = Promise.withResolvers<void>()
      free = resolve
      const held = several.onOneConnection(async (connection) => {
        await connection.query('select 1')
        started.resolve()
        await promise
        await connection.query(last)
      })
      await started.promise
      return { held }
    }
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
    afterEach(async () => {
      vi.useRealTimers()
      await several.close()
    })

    test('a call waits 10 s, and once, while all connections are busy, and its host is kept', async () => {
      openSeveral(new URL(url).host, '127.0.0.1:1')
      const { held } = await hold('select 1')
      const refused = several.query('select 1').catch((error: unknown) => error)
      await vi.advanceTimersByTimeAsync(1_000)
      const patient = several.query('select 1 as one')
      await vi.advanceTimersByTimeAsync(9_500)
      free()
      await held
      await expect(patient).resolves.toMatchObject({ rows: [{ one: 1 }] })
      expect(isDatabaseAway(await refused)).toBe(true)
    })

    test('a host that accepts connections and answers nothing is left after 2 s', async () => {
      const asked = Promise.withResolvers<void>()
      const sockets = new Set<Socket>()
      const hanging = createServer((client) => {
        const target = new URL(url)
        const server = connect(Number(target.port || 5432), target.hostname)
        for (const socket of [client, server]) sockets.add(socket.on('error', () => {}))
        server.pipe(client)
        client.on('data', (chunk) => {
          if (chunk.includes('pg_is_in_recovery')) asked.resolve()
          else server.write(chunk)
        })
      }).listen(0, '127.0.0.1')
      await once(hanging, 'listening')
      openSeveral(`127.0.0.1:${(hanging.address() as AddressInfo).port}`, new URL(url).host)
      const answer = several.query('select 1 as one')
      await asked.promise
      await vi.advanceTimersByTimeAsync(2_000)
      await expect(answer).resolves.toMatchObject({ rows: [{ one: 1 }] })
      for (const each of sockets) each.destroy()
      hanging.close()
    })

    test('a host that stops answering is left, even if the call that it was asked for waits no more', async () => {
      const sockets = new Set<Socket>()
      let isSilent = false
      let askedInVain = 0
      const dying = createServer((client) => {
        const target = new URL(url)
        const server = isSilent ? null : connect(Number(target.port || 5432), target.hostname)
        for (const socket of [client, server]) if (socket !== null) sockets.add(socket.on('error', () => {}))
        if (server !== null) client.pipe(server).pipe(client)
        else if (++askedInVain > 1) client.destroy()
        else client.resume()
      }).listen(0, '127.0.0.1')
      await once(dying, 'listening')
      openSeveral(`127.0.0.1:${(dying.address() as AddressInfo).port}`, new URL(url).host)
      const { held } = await hold('select pg_terminate_backend(pg_backend_pid())')
      const lost = held.catch((error: unknown) => error)
      const waiting = several.query('select 1').catch((error: unknown) => error)
      await vi.advanceTimersByTimeAsync(9_000)
      isSilent = true
      const asked = once(dying, 'connection') as Promise<[Socket]>
      free()
      const [socket] = await asked
      await vi.advanceTimersByTimeAsync(1_000)
      expect(isDatabaseAway(await waiting)).toBe(true)
      const closed = once(socket, 'close')
      await vi.advanceTimersByTimeAsync(1_000)
      await closed
      await expect(several.query('select 1 as one')).resolves.toMatchObject({ rows: [{ one: 1 }] })
      expect(askedInVain).toBe(1)
      expect(isDatabaseAway(await lost)).toBe(true)
      for (const each of sockets) each.destroy()
      dying.close()
    })
  })

  describe('through a wire that is watched', () => {
    /** What the client wrote, one entry per read on the server side. */
    let writes: string[]
    /**
     * Cuts both sides once the client wrote this: `before` the server received it, or `after` the server answered it.
     */
    let cut: { readonly text: string; readonly when: 'before' | 'after' } | null
    let proxied: Database
    const sockets = new Set<Socket>()
    const proxy = createServer((client) => {
      const target = new URL(url)
      const server = connect(Number(target.port || 5432), target.hostname)
      for (const socket of [client, server]) {
        sockets.add(socket)
        socket.setNoDelay(true)
        socket.on('error', () => {})
      }
      let isCut = false
      client.on('data', (chunk) => {
        const text = chunk.toString('latin1')
        writes.push(text)
        isCut ||= cut !== null && text.includes(cut.text)
        if (isCut && cut?.when === 'before') return void (client.destroy(), server.destroy())
        server.write(chunk)
      })
      server.on('data', (chunk) => {
        if (isCut) return void (client.destroy(), server.destroy())
        client.write(chunk)
      })
      client.on('close', () => server.destroy())
      server.on('close', () => client.destroy())
    })

    beforeAll(async () => {
      proxy.listen(0, '127.0.0.1')
      await once(proxy, 'listening')
    })
    beforeEach(() => {
      writes = []
      cut = null
      const proxyUrl = new URL(url)
      proxyUrl.hostname = '127.0.0.1'
      proxyUrl.port = String((proxy.address() as AddressInfo).port)
      proxied = openNative({ url: proxyUrl.href, max: 1 })
    })
    afterEach(() => proxied.close())
    afterAll(() => {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    })

    test('BEGIN leaves with the first statement, and the last statement with COMMIT', async () => {
      await proxied.query('select 1')
      writes = []
      await proxied.tx(async (tx) => {
        await tx.query(insert, [1])
        await tx.commitWith(insert, [2])
      })
      expect(writes).toHaveLength(2)
      expect(writes[0]).toMatch(/begin[^]*insert/)
      expect(writes[1]).toMatch(/insert[^]*commit/)
    })

    test('statements that are not awaited one by one leave together', async () => {
      await proxied.query('select 1')
      writes = []
      await proxied.tx((tx) => Promise.all([1, 2, 3].map((id) => tx.query(insert, [id]))))
      expect(writes).toHaveLength(2)
    })

    test.each(['before', 'after'] as const)('a connection lost at COMMIT, %s it arrived, is unknown', async (when) => {
      for (const isLast of [false, true]) {
        await shared.query('truncate item')
        await proxied.query('select 1')
        cut = { text: 'commit', when }
        let effects = 0
        const outcome = proxied.tx(async (tx) => {
          tx.afterCommit(() => effects++)
          await (isLast ? tx.commitWith(insert, [1]) : tx.query(insert, [1]))
        })
        await expect(outcome).rejects.toBeInstanceOf(CommitUnknownError)
        expect(effects).toBe(0)
        cut = null
        // Only a query shows the outcome, which is what CommitUnknownError asks its caller to make.
        await expect.poll(count).toBe(when === 'after' ? 1 : 0)
      }
    })

    test('a server that is gone is an error, and the pool recovers when it is back', async () => {
      cut = { text: 'select', when: 'before' }
      await expect(proxied.query('select 1')).rejects.toThrow()
      cut = null
      await expect(proxied.query('select 1 as one')).resolves.toMatchObject({ rows: [{ one: 1 }] })
    })
  })
})

test('a server that is not there is an error, not a crash', async () => {
  const db = openNative({ url: 'postgres://nobody@127.0.0.1:1/none' })
  await expect(db.query('select 1')).rejects.toThrow(/ECONNREFUSED/)
  await expect(db.tx((tx) => tx.query('select 1'))).rejects.toThrow(/ECONNREFUSED/)
  await db.close()
})
