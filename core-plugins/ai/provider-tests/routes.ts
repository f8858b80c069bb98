import { defineRoute, type Route } from '#kernel'
import { providerParams } from '../providers/schemas.ts'
import type { ProviderTests } from './provider-tests.ts'
import { testResult, testWish } from './schemas.ts'
import { demand } from '../permissions.ts'

/** The endpoint that tests a provider. */
export function providerTestRoute(tests: ProviderTests): Route {
  return defineRoute({
    method: 'post',
    path: '/admin/ai/providers/{provider_id}/test',
    summary:
      'Test an AI provider, as it is or with a draft: reach, auth and models cost nothing, chat, stream and tools a little',
    permission: demand('ai_provider:test'),
    limit: { policy: 'ai-provider-test', requests: 60, seconds: 60, by: 'user' },
    // A test that is asked for again is done again.
    idempotent: false,
    schema: { params: providerParams, body: testWish, response: testResult },
    errors: [4048, 4229],
    handler: ({ params, body, principal, signal }) => tests.run(params.provider_id, body, principal, signal),
  })
}
