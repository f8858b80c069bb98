import { createI18n } from 'vue-i18n'
import { readHint, type LocaleName } from './hint.ts'
import { patiently } from './patiently.ts'

export type { LocaleName }
/** Each has its texts in a file of its own, loaded when a page of it opens. */
export type TextArea =
  | ('shell' | 'public' | 'account' | 'admin' | 'tenant' | 'user' | 'people' | 'plugins' | 'settings')
  | ('access' | 'system' | 'agents' | 'ai' | 'files' | 'mcp')

type Texts = { readonly [name: string]: string | Texts }

const files = import.meta.glob<{ readonly default: Texts }>('../locales/*/*.json')
const loaded = new Set<string>()
const areas = new Set<TextArea>()
let wanted: LocaleName | undefined

/** Every text of the console. */
export const i18n = createI18n({
  legacy: false,
  locale: firstLocale(),
  fallbackLocale: 'en',
  missingWarn: false,
  fallbackWarn: false,
  messages: {},
})

/** The language that is shown. */
export function currentLocale(): LocaleName {
  return i18n.global.locale.value as LocaleName
}

/** Shows another language, once what the pages that were opened say is there in it. */
export async function setLocale(locale: LocaleName): Promise<void> {
  wanted = locale
  await Promise.all([...areas].map((area) => load(locale, area)))
  // Another one was chosen while its texts came.
  if (wanted !== locale) return
  i18n.global.locale.value = locale
  document.documentElement.lang = locale
}

/** Loads what pages of an area say, in the language that is shown. */
export async function loadTexts(area: TextArea): Promise<void> {
  areas.add(area)
  await load(currentLocale(), area)
}

/** A text outside of a component. */
export function say(key: string, values: Record<string, unknown> = {}): string {
  return i18n.global.t(key, values)
}

/** Whether there is such a text. */
export function hasText(key: string): boolean {
  return i18n.global.te(key)
}

async function load(locale: LocaleName, area: TextArea): Promise<void> {
  const file = `../locales/${locale}/${area}.json`
  if (loaded.has(file)) return
  const read = files[file]
  const texts = read && (await patiently(read)())
  if (texts) i18n.global.mergeLocaleMessage(locale, { [area]: texts.default })
  loaded.add(file)
}

function firstLocale(): LocaleName {
  const locale = readHint().locale ?? (navigator.language.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en')
  document.documentElement.lang = locale
  return locale
}
