import { defineRoute } from '#kernel'

const noteSchema = {
  type: 'object',
  required: ['title'],
  additionalProperties: false,
  properties: {
    title: { type: 'string', minLength: 2, maxLength: 10 },
    stars: { type: 'integer', minimum: 1, maximum: 5, default: 3 },
    email: { type: 'string', format: 'email' },
    owner: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
  },
} as const

/** Routes that answer with what came in. */
export const routes = [
  defineRoute({
    method: 'get',
    path: '/things/{id}',
    summary: 'Reads what comes in',
    auth: 'none',
    schema: {
      params: { type: 'object', properties: { id: { type: 'integer', minimum: 1 } } },
      query: {
        type: 'object',
        properties: {
          page: { type: 'integer', minimum: 1, default: 1 },
          deep: { type: 'boolean' },
          tags: { type: 'array', items: { type: 'string' } },
        },
      },
    },
    handler: ({ params, query }) => ({ params, query }),
  }),
  defineRoute({
    method: 'get',
    path: '/plain',
    summary: 'No schema',
    auth: 'none',
    handler: ({ query }) => query,
  }),
  defineRoute({
    method: 'post',
    path: '/notes',
    summary: 'Takes a note',
    auth: 'none',
    schema: { body: noteSchema },
    handler: ({ body }) => body,
  }),
  defineRoute({
    method: 'post',
    path: '/forms',
    summary: 'Takes a form or JSON',
    auth: 'none',
    accepts: ['json', 'form'],
    schema: { body: { type: 'object', properties: { a: {}, b: {} } } },
    handler: ({ body }) => ({ ...(body as object) }),
  }),
  defineRoute({
    method: 'post',
    path: '/any',
    summary: 'Any JSON',
    auth: 'none',
    schema: { body: {} },
    handler: ({ body }) => body,
  }),
  defineRoute({ method: 'post', path: '/none', summary: 'No body', auth: 'none', handler: ({ body }) => body }),
]
