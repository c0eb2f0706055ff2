import { Agent, request } from 'node:http'

export interface SignInAnswer {
  readonly status: number
  readonly ms: number
  readonly accessToken: string | null
  readonly deviceSecret: string | null
}

export interface Attempt {
  readonly username: string
  readonly password: string
  /** The client's address in X-Forwarded-For; the server trusts this machine as its proxy. */
  readonly from: string
  readonly deviceSecret?: string | null
}

const agent = new Agent({ keepAlive: true, maxSockets: 1_000 })

/** Sends one sign-in and measures the time until the whole answer has arrived. */
export const signIn = (server: string, { from, ...attempt }: Attempt): Promise<SignInAnswer> =>
  post(`${server}/api/v1/auth/login`, withSecret(attempt), from)

/** Registers an account with this password from its own address. */
export async function registerPlayer(server: string, attempt: Attempt): Promise<SignInAnswer> {
  const { username, password, from } = attempt
  const answer = await post(
    `${server}/api/v1/auth/register`,
    { username, password, rePassword: password, code: 'KIMPHIEN' },
    from,
  )
  if (answer.status !== 200) throw new Error(`${username} could not be registered: ${answer.status}`)
  return answer
}

const withSecret = ({ deviceSecret, ...rest }: Omit<Attempt, 'from'>): object =>
  deviceSecret ? { ...rest, deviceSecret } : rest

function post(url: string, body: object, from: string): Promise<SignInAnswer> {
  const text = JSON.stringify(body)
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      agent,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
        'x-forwarded-for': from,
      },
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('error', reject)
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const ms = performance.now() - startedAt
        const answer = JSON.parse(Buffer.concat(chunks).toString()) as {
          data?: { access_token?: string; deviceSecret?: string }
        }
        const { access_token: accessToken = null, deviceSecret = null } = answer.data ?? {}
        resolve({ status: response.statusCode ?? 0, ms, accessToken, deviceSecret })
      })
    })
    sent.end(text)
  })
}
