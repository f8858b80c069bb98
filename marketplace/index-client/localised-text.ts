import type { LocalisedText } from './index-source.ts'

const localeForm = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/

/** Finds the file of a language: `README.zh-CN.md`, `README.zh.md`, `README.md`, the first there is. */
export async function findLocalisedText(
  base: 'README' | 'CHANGELOG',
  locale: string | undefined,
  find: (path: string) => Promise<Buffer | undefined>,
): Promise<LocalisedText | undefined> {
  for (const candidate of candidates(locale)) {
    const path = candidate === 'default' ? `${base}.md` : `${base}.${candidate}.md`
    const bytes = await find(path)
    if (bytes) return { path, locale: candidate, text: new TextDecoder().decode(bytes) }
  }
  return undefined
}

function candidates(locale: string | undefined): readonly string[] {
  if (locale === undefined || locale.length > 20 || !localeForm.test(locale)) return ['default']
  return [...new Set([locale, locale.split('-')[0] ?? locale, 'default'])]
}
