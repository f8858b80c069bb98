import assert from 'node:assert/strict'
import { defineRoute, type Route } from '#kernel'
import { PermissionTable } from '../../../kernel/permission.ts'
import { RouteTable } from '../../../kernel/http/router.ts'
import { probePlugin } from '../../support/probe.ts'

const plugin = (name: string) => probePlugin(name, () => undefined)

function route(path: string, method: Route['method'] = 'get', permission?: string): Route {
  return defineRoute({ method, path, summary: path, handler: () => path, ...(permission && { permission }) })
}

function table(): RouteTable {
  return new RouteTable(new PermissionTable(), (owner, added) => {
    return { plugin: owner.name, route: added, run: () => Promise.resolve(added.path) }
  })
}

function found(routes: RouteTable, method: string, path: string): unknown {
  const match = routes.find(method, path)
  return 'allowed' in match ? [...match.allowed].sort() : [match.endpoint.route.path, match.params]
}

describe('the route table', () => {
  it('prefers static segments to parameters, and those to the rest of a path, wherever they stand', () => {
    const routes = table()
    routes.register(plugin('a'), [
      route('/files/{path*}'),
      route('/notes/{id}'),
      route('/notes/{id}/{part}'),
      route('/notes/{id}/author'),
      route('/notes/recent'),
      route('/notes/{id}', 'delete'),
      route('/'),
      route('/{name}'),
      route('/release/v{version}.json'),
    ])
    const paths = [
      '/notes/7',
      '/notes/recent',
      '/notes/7/author',
      '/notes/7/title',
      '/files/a/b.txt',
      '/',
      '/x',
      '/release/v1.2.json',
    ]
    assert.deepEqual(
      paths.map((path) => found(routes, 'GET', path)),
      [
        ['/notes/{id}', { id: '7' }],
        ['/notes/recent', {}],
        ['/notes/{id}/author', { id: '7' }],
        ['/notes/{id}/{part}', { id: '7', part: 'title' }],
        ['/files/{path*}', { path: 'a/b.txt' }],
        ['/', {}],
        ['/{name}', { name: 'x' }],
        ['/release/v{version}.json', { version: '1.2' }],
      ],
    )
  })

  it('falls back to a parameter where the static path lacks the method, and tells what a path knows otherwise', () => {
    const routes = table()
    routes.register(plugin('a'), [route('/notes/recent'), route('/notes/{id}', 'delete'), route('/notes/{id}', 'put')])
    assert.deepEqual(
      [
        found(routes, 'DELETE', '/notes/recent'),
        found(routes, 'HEAD', '/notes/recent'),
        found(routes, 'POST', '/notes/recent'),
      ],
      [
        ['/notes/{id}', { id: 'recent' }],
        ['/notes/recent', {}],
        ['DELETE', 'GET', 'HEAD', 'PUT'],
      ],
    )
  })

  it('tells apart letters of different case, and a path from the same with a slash', () => {
    const routes = table()
    routes.register(plugin('a'), [route('/notes/{id}')])
    const paths = ['/Notes/1', '/notes/1/', '/notes/', '/notes', '//notes/1', '/notes/1/2', '/'.repeat(10_000)]
    assert.deepEqual(
      paths.map((path) => found(routes, 'GET', path)),
      paths.map(() => []),
    )
  })

  it('decodes parameters, and refuses those that are broken or hold a NUL', () => {
    const routes = table()
    routes.register(plugin('a'), [route('/notes/{id}')])
    assert.deepEqual(found(routes, 'GET', '/notes/a%2Fb%20%E4%B8%AD'), ['/notes/{id}', { id: 'a/b 中' }])
    for (const path of ['/notes/%', '/notes/%E4', '/notes/a%00']) {
      assert.throws(() => routes.find('GET', path), { code: 4221, reason: 'params_invalid' })
    }
  })

  it('refuses two owners of one shape, and takes none of the routes then', () => {
    const routes = table()
    routes.register(plugin('first'), [route('/notes/{id}')])
    assert.throws(() => routes.register(plugin('second'), [route('/other'), route('/notes/{note}')]), {
      message: 'second registers GET /notes/{note}, which first owns already',
    })
    assert.deepEqual(routes.names, ['GET /notes/{id}'])
  })

  it('refuses a path whose braces hold no name, before it is asked for anything', () => {
    for (const path of ['/notes/{1a}', '/notes/{}', '/notes/{id', '/notes/id}', '/notes/{a-b}']) {
      assert.throws(() => table().register(plugin('a'), [route(path)]), /GET \/notes\/\S+ has braces around something/)
    }
  })

  it('refuses a permission that nobody declares', () => {
    assert.throws(() => table().register(plugin('a'), [route('/notes', 'get', 'note:burn')]), {
      message: 'GET /notes asks for note:burn, which its manifest does not declare',
    })
  })

  it('is as before when a registration is undone', () => {
    const routes = table()
    routes.register(plugin('a'), [route('/notes/{id}')])
    const second = routes.register(plugin('b'), [route('/notes/{id}', 'put'), route('/notes/recent')])
    assert.deepEqual(routes.names, ['GET /notes/recent', 'GET /notes/{id}', 'PUT /notes/{id}'])
    second[Symbol.dispose]()
    second[Symbol.dispose]()
    assert.deepEqual(
      [routes.names, found(routes, 'GET', '/notes/recent'), found(routes, 'PUT', '/notes/1')],
      [['GET /notes/{id}'], ['/notes/{id}', { id: 'recent' }], ['GET', 'HEAD']],
    )
  })
})
