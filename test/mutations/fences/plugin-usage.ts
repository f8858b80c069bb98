import type { Fence } from '../mutation.ts'

const metrics = 'test/core-plugins/plugin-usage/metrics.test.ts'

/** What plugins cost is told to whom it concerns. */
export const pluginUsage: Fence = {
  name: 'plugin-usage',
  mutations: [
    {
      name: 'usage-of-everybody',
      file: 'core-plugins/plugin-usage/usage-reader.ts',
      before: 'const own = () => this.#tenantUsage({ from: since }, tenantId).where({ tenant_id: tenantId })',
      after: 'const own = () => this.#tenantUsage({ from: since })',
      tests: [metrics],
      why: 'A tenant is shown what all of them do.',
    },
    {
      name: 'usage-over-time-of-everybody',
      file: 'core-plugins/plugin-usage/service.ts',
      before: 'this.#usage.series(id, edges, tenantId)',
      after: 'this.#usage.series(id, edges)',
      tests: ['test/core-plugins/plugin-usage/metrics-series.test.ts'],
      why: 'A tenant is shown what all of them do over time.',
    },
    {
      name: 'usage-waits-for-an-erased-tenant',
      file: 'core-plugins/plugin-usage/usage-writer.ts',
      before:
        '    this.#parts.metering.forgetTenant(tenantId)\n    this.#pending.forgetTenant(tenantId)\n    await this.#last.catch(() => undefined)\n    this.#pending.forgetTenant(tenantId)\n',
      after: '    await this.#last.catch(() => undefined)\n',
      tests: [metrics],
      why: 'What is written late brings an erased tenant back.',
    },
    {
      name: 'usage-to-anybody-of-the-platform',
      file: 'core-plugins/plugin-usage/routes.ts',
      before: "permission: 'platform_plugin:detail'",
      after: "permission: 'platform_plugin:list'",
      tests: [metrics],
      why: 'Who may only list plugins reads the failures of tenants.',
    },
  ],
}
