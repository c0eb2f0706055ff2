import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import type { CurrentRound } from '#contract/game.ts'
import type { RoundType } from '#domain/game/calendar.ts'
import { CAPABILITIES, type Capability } from '#domain/identity/permissions.ts'

export const adminPassword = 'mat-khau-quan-tri'
export const referralCode = 'KIMPHIEN'

type Output<S> = S extends z.ZodMiniType ? z.output<S> : never

export type Call = {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: unknown
  readonly body?: unknown
  readonly token?: string
}

/** Makes one of the contract's calls as a client of its own. Throws with the server's answer on a refusal. */
export async function call<E extends Endpoint>(url: string, endpoint: E, input: Call = {}): Promise<Output<E['data']>> {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(input.params?.[name] ?? ''))
  const query =
    endpoint.query === undefined ? {} : (z.encode(endpoint.query, input.query ?? {}) as Record<string, string>)
  const response = await fetch(`${url}${path}?${new URLSearchParams(query).toString()}`, {
    method: endpoint.method,
    headers: {
      ...(input.token !== undefined && { authorization: `Bearer ${input.token}` }),
      ...(input.body !== undefined && { 'content-type': 'application/json' }),
    },
    body:
      endpoint.body === undefined || input.body === undefined
        ? null
        : JSON.stringify(z.encode(endpoint.body, input.body)),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${endpoint.method} ${path}: ${response.status} ${text}`)
  return z.decode(endpoint.data, (JSON.parse(text) as { data: never }).data) as Output<E['data']>
}

let players = 0

export type Account = {
  readonly id: string
  readonly username: string
  readonly password: string
  readonly token: string
}

/** A new player, registered over HTTP. No name is the beginning of another one. */
export async function aPlayer(url: string): Promise<Account> {
  players += 1
  const username = `nguoichoi${String(players).padStart(3, '0')}`
  const password = 'bi-mat-123'
  const body = { username, password, passwordAgain: password, referralCode }
  const { accessToken: token } = await call(url, endpoints.register, { body })
  const { id } = await call(url, endpoints.me, { token })
  return { id, username, password, token }
}

export async function anAdmin(url: string): Promise<string> {
  return signIn(url, { username: 'admin', password: adminPassword })
}

/** Signs in an account without a second factor. Returns its token. */
export async function signIn(url: string, body: { username: string; password: string }): Promise<string> {
  const session = await call(url, endpoints.login, { body: { username: body.username, password: body.password } })
  if (!('accessToken' in session)) throw new Error(`${body.username} is asked for a second factor`)
  return session.accessToken
}

/** Waits for a running round of the type with between `least` and `most` ms left by the server's clock. */
export async function roundWithLeft(
  url: string,
  token: string,
  type: RoundType,
  least: number,
  most = Number.POSITIVE_INFINITY,
  isWanted: (round: CurrentRound) => boolean = () => true,
): Promise<CurrentRound> {
  for (;;) {
    const round = await call(url, endpoints.currentRound, { token, query: { type } })
    if (round !== null) {
      const leftMs = round.closesAtMs - round.serverTimeMs
      if (leftMs >= least && leftMs <= most && isWanted(round)) return round
    }
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

/**
 * Another administrator, with these capabilities: a player promoted by the first one, signed in again because the change of role ended every
 * session.
 */
export async function anotherAdmin(
  url: string,
  adminToken: string,
  capabilities: readonly Capability[] = CAPABILITIES,
): Promise<Account> {
  const player = await aPlayer(url)
  const { version } = await call(url, endpoints.me, { token: player.token })
  const promoted = await call(url, endpoints.setRole, {
    token: adminToken,
    params: { id: player.id },
    body: { role: 'admin', version },
  })
  await call(url, endpoints.grantCapabilities, {
    token: adminToken,
    params: { id: player.id },
    body: { capabilities: [...capabilities], version: promoted.version },
  })
  return { ...player, token: await signIn(url, player) }
}

export const linkBank = (url: string, player: Account, bankName = 'Vietcombank') =>
  call(url, endpoints.addBank, {
    token: player.token,
    body: { bankName, accountNumber: '0123456789', accountHolder: 'TEN KHONG THAT' },
  })

export const fileDeposit = (url: string, player: Account, amountMinor: bigint) =>
  call(url, endpoints.fileRequest, {
    token: player.token,
    body: { ownerId: player.id, kind: 'deposit', amountMinor, memo: 'Nạp thử' },
  })

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export const anImage = (url: string, account: Account) =>
  anUpload(url, account, new File([Buffer.from(png, 'base64')], 'anh.png'))

/** Stores a file of the account and returns its address, which a message then has as its content. */
export async function anUpload(url: string, { token }: Account, file: File): Promise<string> {
  const body = new FormData()
  body.append('file', file)
  const { method, path, data } = endpoints.uploadFile
  const response = await fetch(url + path, { method, headers: { authorization: `Bearer ${token}` }, body })
  return z.decode(data, ((await response.json()) as { data: never }).data).url
}

/**
 * A player with a pending, an approved and a rejected deposit, a linked bank, and a bet that was returned: one of each
 * that the back office shows; `roundId` is the deleted round that it was on.
 */
export async function aCustomer(url: string, admin: string): Promise<Account & { readonly roundId: string }> {
  const player = await aPlayer(url)
  await linkBank(url, player)
  const approved = await fileDeposit(url, player, 10_000n)
  const rejected = await fileDeposit(url, player, 20_000n)
  await fileDeposit(url, player, 30_000n)
  const decide = (id: string, body: { verdict: 'approved' | 'rejected'; reason?: string }) =>
    call(url, endpoints.decideRequest, { token: admin, params: { id }, body: { ...body, from: 'pending' } })
  await decide(approved.id, { verdict: 'approved' })
  await decide(rejected.id, { verdict: 'rejected', reason: 'Sai nội dung chuyển' })
  const round = await roundWithLeft(url, admin, '90s', 12_000)
  await call(url, endpoints.placeBet, {
    token: player.token,
    body: { roundId: round.id, direction: 'up', stakeMinor: 1_000n, seenBasis: 'PRICE' },
  })
  await call(url, endpoints.deleteRound, { token: admin, params: { id: round.id } })
  return { ...player, roundId: round.id }
}
