import assert from 'node:assert/strict'
import { definePlugin, defineService, type Plugin } from '#kernel'
import { orderPlugins } from '../../kernel/order.ts'
import { described } from '../support/probe.ts'

function plugin(name: string, needs: readonly string[] = []): Plugin {
  return definePlugin({
    ...described(name),
    provides: [defineService(`${name}.service`)],
    needs: Object.fromEntries(needs.map((need) => [need, defineService(`${need}.service`)])),
    setup: () => undefined,
  })
}

const order = (plugins: readonly Plugin[]) => orderPlugins(plugins, new Set(['kernel.service'])).map(({ name }) => name)

describe('the order of plugins', () => {
  it('puts providers first and otherwise stays as given', () => {
    assert.deepEqual(order([plugin('d', ['b', 'c']), plugin('a', ['kernel']), plugin('c', ['b']), plugin('b')]), [
      'b',
      'c',
      'd',
      'a',
    ])
  })

  it('names plugins that need each other in a circle', () => {
    assert.throws(() => order([plugin('a', ['b']), plugin('b', ['c']), plugin('c', ['a'])]), {
      message: 'These plugins need each other in a circle: a → b → c → a',
    })
  })

  it('names a service that nobody provides', () => {
    assert.throws(() => order([plugin('a', ['nobody'])]), {
      message: 'No enabled plugin provides the service nobody.service',
    })
  })
})
