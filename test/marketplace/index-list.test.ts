import { deepEqual, equal } from 'node:assert/strict'
import { createGuardedFetch } from '#kernel'
import { openIndexSource, type IndexSource } from '#marketplace'
import { createIndexOfMany } from './index-of-many.ts'
import { MemoryIndexCache, startIndexServer } from './index-server.ts'

describe('the list of an index of 5,000 plugins', () => {
  let source: IndexSource

  before(async () => {
    const { content } = createIndexOfMany()
    await using server = await startIndexServer(content)
    await using fetch = createGuardedFetch({ egressAllowPrivate: new Set([server.host]), dnsServers: [] })
    source = openIndexSource({ id: 'many', url: server.url }, { fetch, cache: new MemoryIndexCache() })
    const { failure, plugins } = await source.refresh()
    deepEqual([failure, plugins], [undefined, 5_000])
  })

  it('finds by words in any language, in any order, all of which occur', () => {
    equal(source.list({ q: 'NUMBER 4711.' })[0]?.name.endsWith('-p4711'), true)
    deepEqual(
      source.list({ q: '第 4711 个' }).map(({ title }) => title['zh-CN']),
      ['报表 4711'],
    )
    deepEqual(source.list({ q: 'nothing like it' }), [])
  })

  it('narrows by category, publisher, capability and trust', () => {
    equal(source.list({ category: 'chat' }).length, 1_000)
    equal(source.list({ capability: 'http' }).length, 2_500)
    equal(source.list({ publisher: 'maker7' }).length, 52)
    equal(source.list({ trust: 'official' }).length, 0)
    equal(source.list({ category: 'chat', capability: 'http', trust: 'verified' }).length, 500)
  })

  it('is in the order of names unless said otherwise', () => {
    const names = source.list().map(({ name }) => name)
    deepEqual(names, names.toSorted())
  })
})
