import { defaultLocale, locales } from '#kernel'
import type { StorageDriver } from '../contract.ts'
import { english } from '../texts/en.ts'
import { texts } from '../texts/texts.ts'

/** Titles and descriptions of a built-in driver's settings in other languages; English stands in its schema. */
export function memberTexts(driver: string, members: object): NonNullable<StorageDriver['texts']> {
  const others = locales.filter((locale) => locale !== defaultLocale)
  return Object.fromEntries(others.map((locale) => [locale, textsOf(driver, Object.keys(members), locale)]))
}

function textsOf(driver: string, members: readonly string[], locale: string) {
  return Object.fromEntries(
    members.map((member) => {
      const key = `${driver}.${member}`
      const description = tell(`${key}.description`, locale)
      return [member, { title: tell(key, locale) ?? member, ...(description !== undefined && { description }) }]
    }),
  )
}

function tell(key: string, locale: string): string | undefined {
  return Object.hasOwn(english, key) ? texts.tell(key as keyof typeof english, locale) : undefined
}
