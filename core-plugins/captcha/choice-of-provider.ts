import type { ConfigCheck, ConfigOption } from '../config/contract.ts'
import type { OfferedProviders } from './offered-providers.ts'
import type { ProviderChoice } from './settings.ts'
import { texts } from './texts/texts.ts'

/** The providers that a tenant may choose; the platform, which also chooses for tenants, may choose any. */
export async function listOptions(offered: OfferedProviders, tenantId: number): Promise<readonly ConfigOption[]> {
  const providers = tenantId === 0 ? offered.all() : await offered.listFor(tenantId)
  return providers.map(({ code, title }) => ({ value: code, label: title ?? { default: code } }))
}

/** Refuses the choice of a provider that is not there, or does not serve the tenant that chooses it. */
export function checkChoice(offered: OfferedProviders): ConfigCheck {
  return {
    groups: ['platform_captcha', 'tenant_captcha'],
    async check({ tenantId, keys, values }) {
      const choice: ProviderChoice = { code: text(values['captcha_provider']), plugin: text(values['captcha_plugin']) }
      const key = ['captcha_plugin', 'captcha_provider'].find((each) => keys.includes(each))
      // A tenant that chooses none has the platform's.
      if (key === undefined || choice.code === '') return []
      const provider = offered.chosen(choice)
      if (provider && (tenantId === 0 || (await provider.isOffered(tenantId)))) return []
      return [{ key, rule: 'options', message: texts.of('not_offered') }]
    },
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
