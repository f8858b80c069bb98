import assert from 'node:assert/strict'
import { compilePermissionCheck, coversPermission } from '#kernel'
import { PermissionTable } from '../../kernel/permission.ts'

const cases: readonly (readonly [held: string, asked: string, expected: boolean])[] = [
  ['note:read', 'note:read', true],
  ['note:read', 'note:write', false],
  ['note:*', 'note:write', true],
  ['note:*', 'notes:write', false],
  ['*:*', 'anything:at_all', true],
  ['plugin.guestbook:*', 'plugin.guestbook:sign', true],
  ['plugin.guest:*', 'plugin.guestbook:sign', false],
  ['*', 'note:read', false],
  ['*:read', 'note:read', false],
]

describe('permissions', () => {
  for (const [held, asked, expected] of cases) {
    it(`${held} ${expected ? 'covers' : 'does not cover'} ${asked}`, () => {
      assert.deepEqual([coversPermission(held, asked), compilePermissionCheck([held])(asked)], [expected, expected])
    })
  }

  it('have one owner each', () => {
    const table = new PermissionTable()
    table.register('notes', [{ resource: 'note', scope: 'TENANT', actions: { read: 'Read' } }])
    assert.throws(() => table.register('memos', [{ resource: 'note', scope: 'USER', actions: { read: 'Read' } }]), {
      message: 'memos declares the permission note:read, which notes declares already',
    })
  })

  it('may be held in two scopes, once in each', () => {
    const table = new PermissionTable()
    const read = { resource: 'note', actions: { read: 'Read' } }
    const registered = table.register('notes', [
      { ...read, scope: 'ADMIN' },
      { ...read, scope: 'TENANT' },
    ])
    assert.deepEqual(
      table.list().map(({ name, scope }) => [name, scope]),
      [
        ['note:read', 'ADMIN'],
        ['note:read', 'TENANT'],
      ],
    )
    registered[Symbol.dispose]()
    assert.deepEqual(table.list(), [])
    assert.throws(
      () =>
        table.register('notes', [
          { ...read, scope: 'ADMIN' },
          { ...read, scope: 'ADMIN' },
        ]),
      {
        message: 'notes declares the permission note:read, which notes declares already',
      },
    )
    assert.deepEqual(table.list(), [])
  })

  it('are listed by name as long as their plugin is enabled', () => {
    const table = new PermissionTable()
    const registered = table.register('notes', [
      { resource: 'note', scope: 'TENANT', actions: { write: 'Write', read: 'Read' }, dataScoped: true },
    ])
    const note = { scope: 'TENANT', plugin: 'notes', dataScoped: true }
    assert.deepEqual(table.list(), [
      { name: 'note:read', sentence: 'Read', ...note },
      { name: 'note:write', sentence: 'Write', ...note },
    ])
    registered[Symbol.dispose]()
    assert.deepEqual([table.list(), table.find('note:read')], [[], undefined])
  })
})
