import assert from 'node:assert/strict'
import { createSecretBox, generateFernetKey } from '#kernel'
import { SecretMembers } from '../../../core-plugins/config/extensions/secret-members.ts'
import { mask, ValueCodec } from '../../../core-plugins/config/reading/value-codec.ts'

describe('values of settings with secret members', () => {
  const members = new SecretMembers()
  members.register('driver', (member) => member === 'token')
  const codec = new ValueCodec(
    createSecretBox({ fernetKeys: [generateFernetKey()], appSecret: 'a'.repeat(32) }),
    members,
  )
  const item = { key: 'driver', declaration: { type: 'JSON' } } as unknown as Parameters<ValueCodec['unmask']>[0]

  it('keep the secret that holds where its mask comes back', () => {
    assert.deepEqual(codec.unmask(item, { host: 'a', token: mask }, { host: 'b', token: 's' }), {
      host: 'a',
      token: 's',
    })
  })

  it('take no mask for a secret where there is none', () => {
    for (const current of [undefined, {}, { host: 'b' }])
      assert.deepEqual(codec.unmask(item, { host: 'a', token: mask }, current), { host: 'a' })
  })
})
