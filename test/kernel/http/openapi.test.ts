import assert from 'node:assert/strict'
import { apiDocument, defineRoute, type RequestState, type ServiceTable, withAlias } from '#kernel'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { probeIdentity, probePlugin, probeRoutes } from '../../support/probe.ts'

const routes = [
  defineRoute({
    method: 'post',
    path: '/notes/{id}',
    summary: 'Changes a note',
    permission: 'note:write',
    schema: {
      params: { type: 'object', properties: { id: { type: 'integer' } } },
      query: {
        type: 'object',
        required: ['deep'],
        properties: { deep: { type: 'boolean', description: 'Notes below, too' } },
      },
      body: { type: 'object', properties: { title: { type: 'string' } }, examples: [{ title: 'Milk' }] },
      response: { type: 'object', properties: { id: { type: 'integer' } } },
    },
    errors: [4091, 404],
    answers: [201, { status: 202, types: ['text/csv'] }, 204],
    handler: () => ({}),
  }),
  defineRoute({ method: 'get', path: '/files/{path*}', summary: 'Reads a file', auth: 'none', handler: () => '' }),
  defineRoute({ method: 'get', path: '/hidden', summary: 'Hidden', hidden: true, handler: () => '' }),
]
/** The parts of a description that are looked at here. */
interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>
  readonly components: { readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, unknown>>>> }
}

const anybody: RequestState = { traceId: '', ip: '', locale: 'en', principal: undefined, tenant: undefined }
const document = (services: ServiceTable, state = anybody) =>
  services.get(apiDocument).build(state) as Record<string, unknown>

describe('the description of the interface', () => {
  let host: TestKernel
  before(async () => {
    host = await startTestKernel({ plugins: [probeRoutes(...routes), probeIdentity] })
  })
  after(() => host[Symbol.asyncDispose]())

  it('names every open route with what comes in and goes out', () => {
    const { openapi, paths, tags } = document(host.kernel.services)
    const failure = { $ref: '#/components/responses/Error' }
    const answer = (data: object) => ({
      description: 'It worked',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['code', 'message', 'data', 'trace_id'],
            properties: { code: { const: 0 }, message: { type: 'string' }, data, trace_id: { type: 'string' } },
          },
        },
      },
    })
    assert.deepEqual(
      [openapi, tags, paths],
      [
        '3.1.0',
        [{ name: 'probe', description: 'The plugin probe' }],
        {
          '/files/{path}': {
            get: {
              operationId: 'getFilesByPath',
              summary: 'Reads a file',
              description: 'Anybody may call it.',
              tags: ['probe'],
              security: [],
              parameters: [{ name: 'path', in: 'path', required: true, schema: { type: 'string' } }],
              responses: { 200: answer({}), default: failure },
            },
          },
          '/notes/{id}': {
            post: {
              operationId: 'postNotesById',
              summary: 'Changes a note',
              description:
                'For whoever is signed in, on the platform or in a tenant. Needs the permission `note:write`. A request may be sent again safely with an Idempotency-Key.',
              tags: ['probe'],
              security: [{ bearer: [] }, { api_key: [] }],
              'x-permission': 'note:write',
              parameters: [
                { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
                {
                  name: 'deep',
                  in: 'query',
                  description: 'Notes below, too',
                  required: true,
                  schema: { type: 'boolean' },
                },
                {
                  name: 'Idempotency-Key',
                  in: 'header',
                  description:
                    'Any text of the caller’s: the same request with the same key gets the first answer again, for a day',
                  schema: { type: 'string', minLength: 1, maxLength: 128 },
                },
              ],
              requestBody: {
                content: {
                  'application/json': {
                    schema: {
                      type: 'object',
                      properties: { title: { type: 'string' } },
                      examples: [{ title: 'Milk' }],
                    },
                    example: { title: 'Milk' },
                  },
                },
              },
              responses: {
                201: {
                  ...answer({ type: 'object', properties: { id: { type: 'integer' } } }),
                  description: 'It was made',
                },
                202: {
                  description: 'It was accepted, and goes on',
                  content: { 'text/csv': { schema: { type: 'string' } } },
                },
                204: { description: 'It worked, and there is nothing to say' },
                401: failure,
                403: failure,
                404: failure,
                409: failure,
                default: failure,
              },
            },
          },
        },
      ],
    )
  })

  it('is the same object until the routes change', async () => {
    const before = document(host.kernel.services)
    assert.equal(document(host.kernel.services), before)
    const route = defineRoute({ method: 'get', path: '/more', summary: 'More', handler: () => '' })
    await host.kernel.enable(probePlugin('more', (scope) => scope.route(route)))
    assert.equal('/more' in (document(host.kernel.services)['paths'] as object), true)
    await host.kernel.disable('more')
    assert.deepEqual(document(host.kernel.services), before)
  })
  it('shows each caller what is for them, and is kept for all who see the same', async () => {
    const shownTo = ({ ip }: RequestState) => ip.startsWith('10.')
    const more = ['/one', '/two'].map((path) =>
      defineRoute({ method: 'get', path, summary: 'For some', shownTo, handler: () => '' }),
    )
    await host.kernel.enable(probePlugin('some', (scope) => scope.route(...more)))
    const { services } = host.kernel
    const paths = (ip: string) => Object.keys(document(services, { ...anybody, ip })['paths'] as object)
    assert.deepEqual(paths('10.0.0.1'), [...paths('9.0.0.1'), '/one', '/two'])
    assert.equal(document(services, { ...anybody, ip: '10.0.0.1' }), document(services, { ...anybody, ip: '10.0.0.2' }))
    assert.equal(JSON.stringify(document(services)).includes('some'), false)
    assert.deepEqual(document(services)['tags'], [{ name: 'probe', description: 'The plugin probe' }])
    await host.kernel.disable('some')
  })

  it('calls a route under a second path an alias, and names where tokens are granted', async () => {
    const routesBelow = (path: string) => [
      defineRoute({
        ...({ method: 'post', path: `${path}/login/{session_id}`, summary: 'Sign in', auth: 'none' } as const),
        grantsTokens: 'password',
        handler: () => '',
      }),
    ]
    const routes = withAlias('/admin/area', '/area', routesBelow)
    await host.kernel.enable(probePlugin('aliased', (scope) => scope.route(...routes)))
    const { paths, components } = document(host.kernel.services) as unknown as Described
    const { post: first } = paths['/admin/area/login/{session_id}'] ?? {}
    const { post: second } = paths['/area/login/{session_id}'] ?? {}
    assert.deepEqual(
      [first?.['operationId'], first?.['x-alias-of'], second?.['operationId'], second?.['x-alias-of']],
      ['postAdminAreaLoginBySessionId', undefined, 'postAreaLoginBySessionId', 'postAdminAreaLoginBySessionId'],
    )
    assert.deepEqual(first?.['parameters'], [
      { name: 'session_id', in: 'path', description: 'Id of the session', required: true, schema: { type: 'string' } },
    ])
    assert.deepEqual(components.securitySchemes['oauth2']?.['flows'], {
      password: { tokenUrl: '/area/login/{session_id}', scopes: {} },
    })
    await host.kernel.disable('aliased')
  })
})
