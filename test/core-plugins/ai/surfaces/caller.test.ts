import assert from 'node:assert/strict'
import { isListed } from '../../../../core-plugins/ai/surfaces/caller.ts'

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
