import { useI18n } from 'vue-i18n'
import type { RightDetail, RightPart } from './wire.ts'

/** Details without which a right is told more shortly. */
const needed: Readonly<Record<string, string>> = {
  http: 'hosts',
  storage: 'quotaMb',
  'db:own_tables': 'tables',
  mail: 'perDay',
}

/** Says rights in sentences of ours, in the reader's language. */
export function useRightWords() {
  const i18n = useI18n()
  const { t } = i18n

  /** What somebody with this right may do. */
  function sentenceOf(capability: string, detail: RightDetail): string {
    const told = detail[needed[capability] ?? '']
    const isShort = capability in needed && (told === undefined || (Array.isArray(told) && told.length === 0))
    const name = `plugins.${isShort ? 'rightsAlone' : 'rights'}.${capability.replaceAll(':', '_')}`
    return i18n.te(name) ? t(name, valuesOf(detail)) : t('plugins.rights.other', { capability })
  }
  /** A right in its smallest part. */
  function partOf({ kind, detail, capability }: RightPart): string {
    return kind === 'capability' ? sentenceOf(capability, {}) : t(`plugins.change.parts.${kind}`, { detail })
  }
  function valuesOf(detail: RightDetail) {
    const hosts = (detail['hosts'] as readonly { host: string }[] | undefined) ?? []
    const list = new Intl.ListFormat(t('shell.languageTag'), { type: 'conjunction' })
    const names = (key: string) => list.format((detail[key] as readonly string[] | undefined) ?? [])
    return {
      hosts: list.format(hosts.map(({ host }) => host)),
      tables: names('tables'),
      perDay: Number(detail['perDay'] ?? 0),
      megabytes: Number(detail['quotaMb'] ?? 0),
    }
  }
  return { sentenceOf, partOf }
}
