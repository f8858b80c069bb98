import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import { definePlugin, type ConfigItemDeclaration, type ConfigType } from '#kernel'
import access from '../../../core-plugins/access/index.ts'
import config from '../../../core-plugins/config/index.ts'
import jobs from '../../../core-plugins/jobs/index.ts'
import { checkValue } from '../../../core-plugins/config/values/check-value.ts'
import { matchesPattern } from '../../../core-plugins/config/values/matches-pattern.ts'
import { refused, valueTable } from '../../support/config-values.ts'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { plainIdentity, tenantToken } from '../../support/plain-identity.ts'

describe('any value', () => {
  const option = (value: string | number) => ({ label: { default: String(value) }, value })
  const rules: Partial<Record<ConfigType, Partial<ConfigItemDeclaration>>> = {
    STRING: { rules: { max_length: 4 } },
    NUMBER: { required: true, default: 1, rules: { min: -5, max: 1000 } },
    SELECT: { options: [option('a'), option(5)] },
    MULTI_SELECT: { options: [option('a'), option(5)] },
    TAG: { rules: { max_length: 2 } },
  }
  const items = (Object.keys(valueTable) as ConfigType[]).map((type): ConfigItemDeclaration => ({
    key: type.toLowerCase(),
    type,
    name: { default: type },
    ...rules[type],
  }))
  const text = { default: 'Every type' }
  const everyType = definePlugin({
    name: 'every_type',
    version: '1.0.0',
    title: text,
    description: text,
    config: [{ code: 'every_type', name: text, sort: 1, scope: 'ALL_TENANTS', items }],
    setup: () => undefined,
  })
  const url = '/tenant/configs/groups/every_type'
  const token = tenantToken(5, 'tenant_config:*')
  let host: TestKernel
  before(async () => void (host = await startTestKernel({ plugins: [config, access, jobs, plainIdentity, everyType] })))
  after(() => host[Symbol.asyncDispose]())

  async function rows(): Promise<unknown> {
    const db = host.kernel.database.knex
    return [
      await db('system_config_values').select('*').orderBy('id').queryContext({ tenant: 'all' }),
      await db('access_audit_log').count('*').queryContext({ tenant: 'all' }),
    ]
  }

  async function shown(): Promise<Readonly<Record<string, unknown>>> {
    const { body } = await host.api.get(url, { token })
    const list = body['data']?.['items'] as unknown as readonly { key: string; value: unknown }[]
    return Object.fromEntries(list.map(({ key, value }) => [key, value]))
  }

  it('is read back as it was normalised, or leaves every row as it was', async () => {
    const random = sequence(20_261_121)
    const outcomes = { accepted: 0, refused: 0 }
    for (let round = 0; round < 150; round += 1) {
      const chosen = items.filter(() => random() < 0.25)
      const body = Object.fromEntries(chosen.map((item) => [item.key, anyValue(random, item.type)]))
      const [before, values] = [await rows(), await shown()]
      const { status } = await host.api.put(url, { values: body }, { token })
      const checked = chosen.map((item) => [item.key, checkValue(item, body[item.key], matchesPattern)] as const)
      if (checked.every(([, { faults }]) => faults.length === 0)) {
        const kept = Object.fromEntries(
          checked.map(([key, { value }]) => [key, key === 'password' ? masked(value) : value]),
        )
        assert.deepEqual([status, await shown()], [200, { ...values, ...kept }], JSON.stringify(body))
        outcomes.accepted += 1
      } else {
        assert.deepEqual([status >= 400 && status < 500, await rows()], [true, before], JSON.stringify(body))
        outcomes.refused += 1
      }
    }
    assert.ok(outcomes.accepted > 20 && outcomes.refused > 20, JSON.stringify(outcomes))
  })

  function masked(value: unknown): unknown {
    return value === '' ? '' : '********'
  }

  /** Mostly values of the type, sometimes another's. */
  function anyValue(random: () => number, type: ConfigType): unknown {
    const types = Object.keys(valueTable) as ConfigType[]
    const from = random() < 0.9 ? type : types[Math.floor(random() * types.length)]!
    const pairs = valueTable[from].filter(([, kept]) => random() < 0.2 || kept !== refused)
    return pairs[Math.floor(random() * pairs.length)]?.[0] ?? null
  }

  /** The same numbers in every run, so that a failure can be looked at. */
  function sequence(seed: number): () => number {
    let state = seed
    return () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state / 2 ** 32
    }
  }
})
