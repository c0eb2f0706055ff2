import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifySchema } from 'fastify'
import * as z from 'zod/mini'
import { type Endpoint, refusalsOf } from '#contract/endpoint.ts'
import { failure, meta } from '#contract/envelope.ts'
import { refusals } from '#contract/refusals.ts'

/** Serves /docs: OpenAPI generated from the schemas that validate, so that the two cannot differ (rules §6). */
export async function registerDocs(app: FastifyInstance): Promise<void> {
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
    // Called with the config of each route; routes without an endpoint are left out.
    transform: ({ route, url }) => {
      const { endpoint } = route.config ?? {}
      return { schema: endpoint === undefined ? { hide: true } : describe(endpoint), url }
    },
  })
  // The docs page has its own policy: only script files of this origin.
  await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: true })
}

function describe(endpoint: Endpoint): FastifySchema {
  const { params, query, body, data, access, isList, isImage, isFile, isRaw, isMoneyAct, summary } = endpoint
  const ok = z.object({
    statusCode: z.literal(200),
    message: z.string(),
    data,
    ...(isList === true ? { meta } : {}),
  })
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
    ...(isMoneyAct === true ? { headers: toJsonSchema(key) } : {}),
    ...(body === undefined ? {} : { body: toJsonSchema(body) }),
    response: {
      200: isImage === true ? image : isFile === true ? file : isRaw !== undefined ? raw(isRaw) : toJsonSchema(ok),
      '4XX': failing((status) => status < 500),
      '5XX': failing((status) => status >= 500),
    },
  }
}

const image = {
  description: 'The bytes of the image',
  content: { 'image/*': { schema: { type: 'string', format: 'binary' } } },
}

const file = {
  description: 'The bytes of the file',
  content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
}

const raw = (mime: string) => ({
  description: 'The text or the bytes themselves',
  content: { [mime]: { schema: { type: 'string', format: 'binary' } } },
})

function toJsonSchema(schema: z.ZodMiniType): object {
  return { ...z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), $schema: undefined }
}
