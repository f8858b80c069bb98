import { randomBytes } from 'node:crypto'
import type { DemoSeed, TenantDirectory } from './contract.ts'
import type { TenantStore } from './store.ts'

/** Makes the tenant `demo`, with a password nobody else knows, where there was never a tenant. */
export function createDemoSeed(tenants: TenantDirectory, store: TenantStore): DemoSeed {
  return {
    async run() {
      if (!(await store.isEmpty())) return undefined
      const [code, email, password] = ['demo', 'owner@demo.test', randomBytes(15).toString('base64url')]
      await tenants.create({ code, name: 'Demo', owner: { email, password, nickname: 'Demo owner' } }, null)
      return { tenantCode: code, account: email, password }
    },
  }
}
