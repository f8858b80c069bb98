import { computed, reactive, ref } from 'vue'
import { useI18n } from 'vue-i18n'
import { useQuery } from '@tanstack/vue-query'
import type { ProviderOfferBody } from '../../../ai/wire.ts'
import { call } from '../api/client.ts'
import { currentLocale } from '../tab/i18n.ts'
import type { SchemaField } from '../ui/form/schema-field.ts'
import type { Provider } from './wire.ts'

type Values = Readonly<Record<string, unknown>>

const builtIn = ['openai_compatible', 'anthropic', 'gemini', 'azure_openai', 'ollama', 'demo']
const keyOf = ({ name, provider }: ProviderOfferBody['plugin']) => `${name}/${provider}`

/** What is filled in of a provider: one that is there, or a new one of a type that the platform or a plugin speaks. */
export function useProviderForm(provider: Provider | undefined) {
  const { t } = useI18n()
  const offers = useQuery({
    queryKey: computed(() => ['/admin/ai/provider-offers', currentLocale()]),
    queryFn: ({ signal }) =>
      call<{ items: readonly ProviderOfferBody[] }>('GET', '/admin/ai/provider-offers', { signal }),
  })
  const values = reactive({
    code: provider?.code ?? '',
    name: provider?.name ?? '',
    type: (provider?.plugin ? keyOf(provider.plugin) : provider?.type) ?? 'openai_compatible',
    base_url: provider?.base_url ?? '',
    key: '',
  })
  const offered = computed(() => offers.data.value?.items ?? [])
  const offer = computed(() => offered.value.find(({ plugin }) => keyOf(plugin) === values.type))
  const stored: Values = provider?.settings ?? {}
  /** What is set, or was; undefined for a default that was taken away. */
  const set = ref<Values>(stored)
  /** What holds where nothing is set; of secrets nothing is shown. */
  const defaults = computed<Values>(() => {
    const open = (offer.value?.fields ?? []).filter((field) => !field.secret && field.default !== undefined)
    return Object.fromEntries(open.map((field) => [field.field, field.default]))
  })
  /** Of a plugin's provider, its secrets with them; those of the type that is chosen. A default becomes a setting once it is changed. */
  const filled = computed<Values>({
    get: () => ({ ...defaults.value, ...set.value }),
    set(values) {
      const isOwn = ([field, value]: readonly [string, unknown]) => field in stored || value !== defaults.value[field]
      const emptied = Object.keys(defaults.value).filter((field) => !(field in values))
      set.value = Object.fromEntries([
        ...Object.entries(values).filter(isOwn),
        ...emptied.map((field) => [field, undefined] as const),
      ])
    },
  })
  const types = computed(() => [
    ...builtIn.map((value) => ({ value, label: t(`ai.types.${value}`) })),
    ...offered.value.map(({ plugin, title }) => ({
      value: keyOf(plugin),
      label: t('ai.ofPlugin', { title, plugin: plugin.name }),
    })),
  ])
  const isSet = (field: string) => provider?.credentials[field]?.set === true
  const fields = computed(() =>
    (offer.value?.fields ?? []).map((field) => ({
      ...field,
      ...(isSet(field.field) && { description: t('ai.keyIsSet') }),
    })),
  )
  const hasAddress = computed(() => values.type !== 'demo')
  const hasKey = computed(() => hasAddress.value && values.type !== 'ollama' && !values.type.includes('/'))

  /** How it is reached, which is what a test tries. */
  function connection() {
    return { base_url: values.base_url === '' ? null : values.base_url, ...credentials() }
  }
  function credentials() {
    if (!offer.value) return values.key === '' ? {} : { credentials: { api_key: values.key } }
    const given = partOf((field) => field.secret)
    return Object.keys(given).length === 0 ? {} : { credentials: given }
  }
  function settings() {
    return offer.value ? { settings: partOf((field) => !field.secret) } : {}
  }
  function kind() {
    return offer.value ? { type: 'plugin', plugin: offer.value.plugin } : { type: values.type }
  }
  function partOf(isWanted: (field: SchemaField) => boolean) {
    const wanted = (offer.value?.fields ?? []).filter(isWanted).map(({ field }) => field)
    return Object.fromEntries(
      Object.entries(set.value).filter(([field, value]) => value !== undefined && wanted.includes(field)),
    )
  }
  /** Secrets do not stay in a form that is done. */
  function forget() {
    values.key = ''
    set.value = partOf(({ secret }) => !secret)
  }
  const asked = { values, filled, types, fields, hasAddress, hasKey, isSet, error: offers.error }
  return { ...asked, connection, settings, kind, forget }
}
