import { defineRoute, type Route } from '#kernel'
import { providerParams } from '../providers/schemas.ts'
import type { ProviderTests } from './provider-tests.ts'
import { newTestWish, testResult, testWish } from './schemas.ts'
import { demand } from '../permissions.ts'

/** The endpoints that test providers. */
export function providerTestRoutes(tests: ProviderTests): readonly Route[] {
  const shared = {
    method: 'post',
    permission: demand('ai_provider:test'),
    limit: { policy: 'ai-provider-test', requests: 60, seconds: 60, by: 'user' },
    // A test that is asked for again is done again.
    idempotent: false,
  } as const
  return [
    defineRoute({
      ...shared,
      path: '/admin/ai/providers/{provider_id}/test',
      summary:
        'Test an AI provider, as it is or with a draft: reach, auth and models cost nothing, chat, stream and tools a little',
      schema: { params: providerParams, body: testWish, response: testResult },
      errors: [4048, 4229],
      handler: ({ params, body, principal, signal }) => tests.run(params.provider_id, body, principal, signal),
    }),
    defineRoute({
      ...shared,
      path: '/admin/ai/providers/test',
      summary: 'Test an AI provider before it is added; nothing of it is kept',
      schema: { body: newTestWish, response: testResult },
      errors: [4040, 4229],
      handler: ({ body, principal, signal }) => tests.runNew(body, principal, signal),
    }),
  ]
}
