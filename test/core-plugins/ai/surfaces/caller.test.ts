import assert from 'node:assert/strict'
import { callerOf, isListed } from '../../../../core-plugins/ai/surfaces/caller.ts'
import { UnauthenticatedError } from '#kernel'
import { until } from '../../../support/until.ts'

describe('the lists of a key', () => {
  it('name whole names, or parts with stars between them', () => {
    assert.ok(isListed([], 'any'))
    assert.ok(isListed(['chat-fast'], 'chat-fast'))
    assert.ok(isListed(['no', 'chat-*'], 'chat-fast'))
    assert.ok(isListed(['*'], ''))
    assert.ok(isListed(['*-f*st'], 'chat-fast'))
    assert.ok(isListed(['a*a'], 'aa'))
    assert.ok(!isListed(['a*a'], 'a'))
    assert.ok(!isListed(['chat-*'], 'my-chat-fast'))
    assert.ok(!isListed(['chat.fast'], 'chat-fast'))
    assert.ok(!isListed(['*b*a*'], 'abb'))
  })

  it('are read in no time, whatever their stars', function () {
    this.timeout(5_000)
    assert.ok(!isListed([`${'*a'.repeat(99)}b`], 'a'.repeat(200)))
  })
})

describe('the key of a request', () => {
  it('is looked at again after its body, which may take a while', async () => {
    const caller = { id: 'key_1', tenantId: 1, userId: 2, scopes: [], models: [], agents: [] }
    let isGood = true
    const keys = {
      authenticate: () => (isGood ? Promise.resolve(caller) : Promise.reject(new UnauthenticatedError())),
    }
    const state = { ip: '127.0.0.1', traceId: 't', locale: 'en' } as Parameters<typeof callerOf>[0]['state']
    const ask = () => callerOf({ state, header: () => 'a-key' }, keys, 'chat')
    await ask()
    isGood = false
    await until(() =>
      ask().then(
        () => false,
        () => true,
      ),
    )
  })
})
