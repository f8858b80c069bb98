import { pickText, type Principal } from '#kernel'
import type { PluginProvider, PluginProviders } from '../../plugin-offers/contract.ts'
import { secretFields } from './rules.ts'

/** How fields of these types are drawn; all others are lines of text. */
const widgets: Readonly<Record<string, 'number' | 'switch' | 'select' | 'password'>> = {
  NUMBER: 'number',
  BOOLEAN: 'switch',
  SELECT: 'select',
  PASSWORD: 'password',
}

/** The providers that plugins bring to whoever asks, each with the fields of a form for it. */
export function listOffers(plugins: Pick<PluginProviders, 'list'>, asker: Principal, locale: string) {
  return plugins.list(asker.tenantId).map((offer) => ({
    plugin: { name: offer.plugin, provider: offer.code },
    title: pickText(offer.title, locale),
    fields: fieldsOf(offer, locale),
  }))
}

function fieldsOf(offer: PluginProvider, locale: string) {
  const secrets = new Set(secretFields('plugin', offer))
  // A secret that no setting is said of has its key alone.
  const unsaid = [...secrets].filter((key) => offer.config.every((item) => item.key !== key))
  return [
    ...offer.config.map(({ key, type, label, required, default: otherwise, options }) => ({
      ...{ field: key, title: pickText(label, locale), required, secret: secrets.has(key) },
      widget: widgets[type] ?? ('input' as const),
      ...(otherwise !== undefined && !secrets.has(key) && { default: otherwise }),
      ...(options && { options: options.map(({ value }) => value) }),
    })),
    ...unsaid.map((key) => ({ field: key, title: key, required: false, secret: true, widget: 'password' as const })),
  ]
}
