import assert from 'node:assert/strict'
import { AppError } from '#kernel'
import { grantsFor, startPluginWorld } from './plugin-world.ts'

describe('a secret that a guest throws', () => {
  it('is masked before it can reach a log', async () => {
    await using world = await startPluginWorld()
    const release = await world.release(
      {
        capabilities: ['config'],
        config: [{ key: 'api_key', type: 'PASSWORD', scope: 'platform', label: { default: 'Key' } }],
      },
      `export default { handlers: { async leak(_, { config }) {
        throw new Error('refused: ' + (await config.get('api_key')))
      } } }`,
    )
    const target = { kind: 'handler', name: 'leak' } as const
    const call = { release, grants: grantsFor(release), target, input: '{}', tenant: undefined, user: undefined }
    await assert.rejects(world.sandbox.answer(call), (error) => {
      assert.ok(error instanceof AppError)
      const { message, stack } = error.cause as { message: string; stack: string }
      assert.equal(message, 'refused: ********')
      assert.doesNotMatch(stack, /sk-very-secret/)
      return true
    })
  })
})
