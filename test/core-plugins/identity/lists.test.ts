import assert from 'node:assert/strict'
import type { Body } from '../../support/api.ts'
import { startTestPlatform, type TestPlatform } from '../../support/identity.ts'
import { dataOf } from '../../support/platform.ts'
import { fillLists, type ListCase } from './lists-cases.ts'

describe('the lists of users, roles, nodes, tenants and sessions', () => {
  let platform: TestPlatform
  let lists: readonly ListCase[]
  before(async () => {
    platform = await startTestPlatform()
    lists = await fillLists(platform, await platform.createTenant('acme'))
  })
  after(() => platform[Symbol.asyncDispose]())

  const read = async ({ by, path }: ListCase, query: string) => dataOf(await by.get(`${path}?${query}`))
  const itemsOf = (page: Body): readonly Body[] => page['items'] as unknown as readonly Body[]

  it('have their items page by page, each once, and nothing behind the last', async () => {
    for (const list of lists.filter(({ path }) => path !== '/tenant/orgs')) {
      const { total } = (await read(list, '')) as unknown as { total: number }
      assert.ok(total >= 3, list.path)
      const pages = []
      for (let page = 1; page <= total; page += 1) pages.push(await read(list, `page=${page}&page_size=1`))
      const items = pages.flatMap(itemsOf).map((item) => JSON.stringify(item))
      assert.equal(new Set(items).size, total, list.path)
      const behind = await read(list, `pageNo=${total + 1}&size=1`)
      const numbers = ['items', 'total', 'page', 'page_size', 'pages'].map((name) => behind[name])
      assert.deepEqual(numbers, [[], total, total + 1, 1, total], list.path)
    }
  })

  it('of nodes are one tree while it is small, with nothing behind it', async () => {
    const tree = lists.find(({ path }) => path === '/tenant/orgs') ?? assert.fail()
    const first = await read(tree, 'page_size=1')
    const second = await read(tree, 'page=2&page_size=1')
    assert.deepEqual(
      [first, second].map((page) => [page['nested'], page['total'], page['pages'], itemsOf(page).length]),
      [
        [true, 2, 1, 1],
        [true, 2, 1, 0],
      ],
    )
  })

  it('sort by the named fields in both directions and by no other', async () => {
    for (const list of lists) {
      for (const field of list.sortable) await read(list, `sort=${field},-${list.sortable[0]}&page_size=2`)
      const refused = await list.by.get(`${list.path}?sort=-${list.sortable[0]},password_hash`)
      const [fault] = refused.body['errors'] as unknown as { field: string; params: { allowed: string[] } }[]
      assert.deepEqual([refused.status, refused.body['code'], fault?.field], [422, 4221, 'sort'], list.path)
      assert.deepEqual(fault?.params.allowed, list.sortable, list.path)
    }
  })

  it('search for what is typed, not for a pattern', async () => {
    for (const list of lists) {
      if (!list.search) continue
      const found = itemsOf(await read(list, `q=${encodeURIComponent(list.search.q)}`))
      assert.deepEqual(
        found.map((item) => item[list.field]),
        [list.search.finds],
        list.path,
      )
      assert.deepEqual(itemsOf(await read(list, 'q=%25%5C%25')), [], list.path)
    }
  })

  it('refuse numbers that no page has', async () => {
    for (const { by, path } of lists) {
      for (const query of ['page=0', 'page=x', 'page_size=0', 'page_size=101', 'size=-1', 'pageNo=1.5']) {
        const { status, body } = await by.get(`${path}?${query}`)
        const fields = (body['errors'] as unknown as { field: string }[]).map(({ field }) => field)
        assert.deepEqual([status, body['code'], fields], [422, 4221, query.split('=').slice(0, 1)], `${path}?${query}`)
      }
    }
  })
})
