import assert from 'node:assert/strict'
import type { Principal } from '#kernel'
import { PageReports } from '../../../core-plugins/plugins/reports/page-reports.ts'

describe('a report of a page', () => {
  const told: unknown[] = []
  const asked: unknown[] = []
  beforeEach(() => {
    told.length = 0
    asked.length = 0
  })
  const page = { plugin: 'acme.crm', id: 'bills', title: 'Bills', plugin_title: 'CRM' }
  const reports = new PageReports({
    catalogue: { slots: () => Promise.resolve({ pages: [page] }) },
    access: {
      usersWith(tenantId: number, permission: string) {
        asked.push([tenantId, permission])
        return Promise.resolve([3])
      },
    },
    notifier: {
      send: ({ tenantId, userId, link }: Readonly<Record<string, unknown>>) =>
        Promise.resolve(void told.push([tenantId, userId, link])),
    },
    users: { find: () => Promise.resolve({ nickname: 'Ann' }) },
  } as unknown as ConstructorParameters<typeof PageReports>[0])
  const report = (tenantId: number, slot: string, plugin = 'acme.crm') =>
    reports.tell({ tenantId, userId: 2 } as Principal, 'en', { plugin, slot, state: 'empty' as never })

  it('is told to whoever manages plugins where the reader is', async () => {
    await report(7, 'bills')
    await report(0, 'bills')
    assert.deepEqual(asked, [
      [7, 'tenant_plugin:enable'],
      [0, 'platform_plugin:detail'],
    ])
    assert.deepEqual(told, [
      [7, 3, '/tenant/plugins/acme.crm'],
      [0, 3, '/admin/plugins/acme.crm'],
    ])
  })

  it('is told to nobody where the reader does not have the page', async () => {
    for (const [slot, plugin] of [
      ['other', 'acme.crm'],
      ['bills', 'acme.other'],
    ] as const)
      await assert.rejects(report(7, slot, plugin), { reason: 'plugin_not_found' })
    assert.deepEqual([asked, told], [[], []])
  })
})
