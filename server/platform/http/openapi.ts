import type { FastifyInstance, FastifySchema } from 'fastify'
import * as z from 'zod/mini'
import { type Endpoint, refusalsOf } from '#contract/endpoint.ts'
import { failure, meta } from '#contract/envelope.ts'
import { refusals } from '#contract/refusals.ts'
import { refuse } from './errors.ts'
import { sendRefused } from './answers.ts'
import { mayRead, type OperatorsOnly } from '#server/platform/process/metrics.ts'
import { pageHeaders } from './static.ts'

/** Serves /docs, made from the schemas that validate requests, to callers that `mayRead` allows (rules §6.3). */
export async function registerDocs(app: FastifyInstance, readers: OperatorsOnly): Promise<void> {
  if (readers.metricsToken === null && !readers.isDevelopment) return
  const [{ default: swagger }, { default: swaggerUi }] = await Promise.all([
    import('@fastify/swagger'),
    import('@fastify/swagger-ui'),
  ])
  let document: string | undefined
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Kim Phiên',
        version: '1.0.0',
        description: 'Trò chơi mô phỏng bằng điểm ảo, không quy đổi thành tiền.',
      },
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    },
    transform: ({ route, url }) => {
      const { endpoint } = route.config ?? {}
      return { schema: endpoint === undefined ? { hide: true } : describe(endpoint), url }
    },
  })
  await app.register(async (docs) => {
    docs.addHook('onRequest', (request, reply, next) => {
      reply.headers(pageHeaders).header('cache-control', 'no-store')
      if (!mayRead(request, readers)) sendRefused(reply, refuse('FORBIDDEN'))
      // The document does not change, so it is made once.
      else if (request.routeOptions.url === '/docs/json')
        reply.type('application/json; charset=utf-8').send((document ??= JSON.stringify(app.swagger())))
      else next()
    })
    await docs.register(swaggerUi, { routePrefix: '/docs', staticCSP: true })
  })
}

function describe(endpoint: Endpoint): FastifySchema {
  const { params, query, body, data, access, isList, isImage, isFile, isRaw, takesKey, summary } = endpoint
  const ok = z.object({ statusCode: z.literal(200), message: z.string(), data, ...(isList === true ? { meta } : {}) })
  const failing = (isOfStatus: (status: number) => boolean) =>
    toJsonSchema(
      z.extend(failure, { code: z.enum(refusalsOf(endpoint).filter((code) => isOfStatus(refusals[code].status))) }),
    )
  const key = z.object({ 'idempotency-key': z.optional(z.string()) })
  return {
    summary,
    description: `Access: ${access}`,
    ...(access === 'public' ? {} : { security: [{ token: [] }] }),
    ...(params === undefined ? {} : { params: toJsonSchema(params) }),
    ...(query === undefined ? {} : { querystring: toJsonSchema(query) }),
    ...(takesKey === true ? { headers: toJsonSchema(key) } : {}),
    ...(body === undefined ? {} : { body: toJsonSchema(body) }),
    response: {
      200: isImage === true ? image : isFile === true ? file : isRaw !== undefined ? raw(isRaw) : toJsonSchema(ok),
      '4XX': failing((status) => status < 500),
      '5XX': failing((status) => status >= 500),
    },
  }
}

const binary = (description: string, ...types: readonly string[]) => ({
  description,
  content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
})
const image = binary('The bytes of the picture, or of the PDF as an attachment', 'image/*', 'application/pdf')
const file = binary('The bytes of the file', 'application/zip')
const raw = (type: string) => binary('The text or the bytes themselves', type)

function toJsonSchema(schema: z.ZodMiniType): object {
  return { ...z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), $schema: undefined }
}
