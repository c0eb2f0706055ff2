import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, createPublicKey } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { freePorts } from '#testing/machines/ports.ts'
import { makeOwnServer, type OwnServer, runProgram } from '#testing/machines/process.ts'
import { selfSigned } from '#testing/machines/self-signed.ts'
import { securityTexts } from '#web/features/admin-security/admin-security-texts.ts'
import { gameTexts } from '#web/features/game/game-texts.ts'
import { adminPassword, anAdmin, aPlayer, call, roundWithLeft, signIn } from './support/api.ts'
import { openPage, withAuthenticator } from './support/browser.ts'

/* The files of deploy/one-server before a server, as docs/one-server.md has them: only names, ports and the certificate are others. */

const replaced = (text: string, words: Readonly<Record<string, string>>): string =>
  Object.entries(words).reduce((rest, [from, to]) => {
    expect(rest).toContain(from)
    return rest.replaceAll(from, to)
  }, text)

interface Ports {
  readonly web: number
  readonly https: number
  readonly http: number
}

const proxies = {
  caddy: {
    program: '/usr/bin/caddy',
    args: (file: string) => ['run', '--adapter', 'caddyfile', '--config', file],
    config: (folder: string, { https, http }: Ports) =>
      `{\n\tadmin off\n\thttp_port ${http}\n\thttps_port ${https}\n\tskip_install_trust\n}\n${replaced(
        readFileSync('deploy/one-server/Caddyfile', 'utf8'),
        {
          '{$PUBLIC_ORIGIN:kim.example} {': `{$PUBLIC_ORIGIN:kim.example} {\n\ttls ${folder}/cert.pem ${folder}/key.pem`,
          // Servers that start beside each other on two cores take a minute.
          'lb_try_duration 60s': 'lb_try_duration 170s',
        },
      )}`,
  },
  nginx: {
    program: '/usr/sbin/nginx',
    args: (file: string, folder: string) => ['-p', folder, '-c', file, '-e', `${folder}/errors`, '-g', 'daemon off;'],
    config: (folder: string, { web, https, http }: Ports) => {
      const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${folder}/${name};`,
      )
      const site = replaced(readFileSync('deploy/one-server/nginx.conf', 'utf8'), {
        '/etc/letsencrypt/live/kim.example/fullchain.pem': `${folder}/cert.pem`,
        '/etc/letsencrypt/live/kim.example/privkey.pem': `${folder}/key.pem`,
        'server_name kim.example': 'server_name localhost',
        '127.0.0.1:3000 ': `127.0.0.1:${web} `,
        'listen 80;': `listen ${http};`,
        'listen [::]:80;': '',
        'listen 443 ': `listen ${https} `,
        'listen [::]:443 ssl http2;': '',
        // Its port is another one than browsers suppose.
        'https://$host$request_uri': `https://$host:${https}$request_uri`,
      })
      return `user root; pid ${folder}/pid; events {} http { access_log off; ${places.join(' ')}\n${site}\n}`
    },
  },
} as const

describe.each(['caddy', 'nginx'] as const)('behind %s', (name) => {
  const { program, args, config } = proxies[name]
  describe.skipIf(!existsSync(program))(`(needs ${name})`, () => {
    const { cert, key } = selfSigned('localhost')
    let folder: string
    let server: OwnServer
    let proxy: ChildProcess
    let origin: string
    let ports: Ports

    beforeAll(async () => {
      const installation = inject('installations').started
      folder = mkdtempSync(join(dirname(installation), 'one-server-'))
      mkdirSync(join(folder, 'data'))
      cpSync(installation, join(folder, 'data'), { recursive: true })
      writeFileSync(join(folder, 'cert.pem'), cert)
      writeFileSync(join(folder, 'key.pem'), key)
      const [https = 0, http = 0] = await freePorts(2)
      origin = `https://localhost:${https}`
      server = await makeOwnServer(join(folder, 'data'), {
        ...{ ADMIN_PASSWORD: adminPassword, REFERRAL_CODE: 'KIMPHIEN', LOG_LEVEL: 'warn' },
        ...{ PUBLIC_ORIGIN: origin, TRUST_PROXY: '127.0.0.1,::1' },
      })
      await server.start()
      ports = { https, http, web: Number(new URL(server.url).port) }
      writeFileSync(join(folder, 'config'), config(folder, ports))
      proxy = spawn(program, args(join(folder, 'config'), folder), {
        stdio: ['ignore', 'ignore', 'pipe'],
        // As deploy/image/one-server.yaml passes them; nginx's file names both itself.
        env: { PATH: process.env['PATH'], HOME: folder, PUBLIC_ORIGIN: origin, UPSTREAM: `127.0.0.1:${ports.web}` },
      })
      let said = ''
      proxy.stderr?.on('data', (text: Buffer) => (said += text.toString()))
      while (
        !(await ask('/').then(
          ({ status }) => status === 200,
          () => false,
        ))
      ) {
        if (proxy.exitCode !== null) throw new Error(said)
        await sleep(100)
      }
    })
    afterAll(async () => {
      proxy.kill()
      await server.stop()
      rmSync(folder, { recursive: true })
    })

    /** One call through the proxy from another address of this machine than the proxy's own. */
    const ask = (path: string, headers: Readonly<Record<string, string>> = {}, body?: string) =>
      new Promise<{ status: number; headers: Readonly<Record<string, unknown>>; text: string }>((resolve, reject) => {
        const sent = request(
          ...[`${origin}${path}`.replace('localhost', '127.0.0.1')],
          {
            ca: cert,
            servername: 'localhost',
            localAddress: '127.0.0.5',
            method: body === undefined ? 'GET' : 'POST',
            headers: { host: new URL(origin).host, ...headers },
          },
          (answer) => {
            let text = ''
            answer.on('data', (more: Buffer) => (text += more.toString()))
            answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
          },
        )
        sent.on('error', reject)
        sent.end(body)
      })

    test('http leads to https; what is the operator’s is closed; the product’s headers and packing come through', async () => {
      const plain = await fetch(`http://127.0.0.1:${ports.http}/a?b`, {
        redirect: 'manual',
        headers: { host: 'localhost' },
      })
      expect(plain.status).toBe(308)
      for (const path of ['/metrics', '/docs', '/docs/json', '/readyz', '/livez', '/readyz/'])
        expect({ path, status: (await ask(path)).status }).toEqual({ path, status: 404 })
      const direct = await fetch(`${server.url}/`, { headers: { 'accept-encoding': 'br' } })
      const through = await ask('/', { 'accept-encoding': 'br' })
      for (const [header, value] of direct.headers)
        if (!['connection', 'date', 'keep-alive', 'transfer-encoding', 'x-request-id'].includes(header))
          expect({ header, value: String(through.headers[header]) }).toEqual({ header, value })
      expect(through.headers['content-encoding']).toBe('br')
    })

    test('limits and sessions have the address that the proxy saw, whatever a stranger says', async () => {
      const player = await aPlayer(server.url)
      const body = JSON.stringify({ username: player.username, password: player.password })
      const lies = {
        'x-forwarded-for': '203.0.113.9',
        forwarded: 'for=203.0.113.9',
        'content-type': 'application/json',
      }
      const answer = await ask('/api/v1/auth/login', lies, body)
      expect(answer.status).toBe(200)
      const sessions = await call(server.url, endpoints.listSessions, { token: await signIn(server.url, player) })
      const addresses = sessions.map(({ ip }) => ip)
      expect(addresses).toContain('127.0.0.5')
      expect(JSON.stringify(addresses)).not.toContain('203.0.113.9')
    })

    test('in a browser: signing in, a bet whose result comes over wss, a picture, a passkey, nothing in the console', async () => {
      const spki = createHash('sha256')
        .update(createPublicKey(cert).export({ type: 'spki', format: 'der' }))
        .digest('base64')
      const { CHROMIUM_PATH: whole = '/usr/bin/chromium', CHROMIUM_SHELL_PATH: executablePath = whole } = process.env
      const browser = await chromium.launch({
        executablePath,
        args: ['--no-sandbox', `--ignore-certificate-errors-spki-list=${spki}`],
      })
      const complaints: string[] = []
      const sockets: string[] = []
      const open = async (path: string, token: string): Promise<Page> => {
        const context = await browser.newContext({
          ...{ baseURL: origin, viewport: { width: 390, height: 844 }, locale: 'vi-VN' },
        })
        context.on('console', (message) => {
          // A refusal that the product answers, such as 503 for a moment, is a line of the browser's own.
          if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
            complaints.push(message.text())
        })
        context.on('weberror', (error) => complaints.push(error.error().message))
        context.on('page', (page) => page.on('websocket', (socket) => sockets.push(socket.url())))
        return openPage(context, path, { token })
      }
      try {
        const player = await aPlayer(server.url)
        const page = await open('/investment/game', player.token)
        await roundWithLeft(server.url, player.token, '30s', 8_000)
        await page.getByRole('button', { name: /^Mua/ }).and(page.locator('[aria-disabled="false"]')).click()
        await page.getByText(gameTexts.betPlaced).waitFor()
        // Its end is an event of the socket.
        await page.getByRole('dialog').waitFor({ timeout: 60_000 })
        await expect.poll(() => sockets.some((url) => url.startsWith(`wss://localhost:${ports.https}/`))).toBe(true)

        const picture = readFileSync('docs/pictures/game-light.png')
        expect(picture.length).toBeGreaterThan(60_000)
        const uploaded = await page.evaluate(
          async ({ bytes, token, path }) => {
            const body = new FormData()
            body.append('file', new File([Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0))], 'a.png'))
            return (await fetch(path, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body })).status
          },
          { bytes: picture.toString('base64'), token: player.token, path: endpoints.uploadFile.path },
        )
        expect(uploaded).toBe(200)

        const office = await open('/admin/security', await anAdmin(server.url))
        await withAuthenticator(office)
        await office.getByRole('button', { name: securityTexts.addPasskey, exact: true }).click()
        await office.getByRole('button', { name: securityTexts.add, exact: true }).click()
        await office.getByRole('dialog', { name: securityTexts.codesTitle, exact: true }).waitFor()
        expect(complaints).toEqual([])
      } finally {
        await browser.close()
      }
    })

    test('a restart of the server is waited for (Caddy), and the doctor finds its socket through the proxy', async () => {
      const env = { DATA_DIR: join(folder, 'data'), PUBLIC_ORIGIN: origin, TRUST_PROXY: '127.0.0.1,::1' }
      const { out } = await runProgram('server/commands/doctor.ts', {
        args: ['--url', origin],
        env: { ...env, NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem') },
      })
      expect(out).toContain(`ok WebSocket: opens at ${origin}`)
      expect(out).toContain('ok Proxy: 127.0.0.1, ::1')
      await server.stop()
      const waiting = ask('/login')
      await server.start()
      expect((await waiting).status).toBe(name === 'caddy' ? 200 : 502)
      expect((await ask('/login')).status).toBe(200)
    })
  })
})
