import assert from 'node:assert/strict'

import { coalesce } from '../../../core-plugins/plugins/shared/coalesce.ts'

describe('work that is asked for often', () => {
  it('is done again after a time that it could not be begun', async () => {
    const done = Promise.withResolvers<void>()
    const failed = Promise.withResolvers<unknown>()
    let times = 0
    const ask = coalesce(() => {
      times++
      if (times === 1) return Promise.reject(new Error('the first time'))
      done.resolve()
      return done.promise
    }, failed.resolve)
    ask()
    assert.match(String(await failed.promise), /the first time/)
    ask()
    await done.promise
    assert.equal(times, 2)
  })
})
