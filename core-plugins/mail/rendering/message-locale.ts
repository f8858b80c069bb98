import { english } from '../templates/en.ts'
import type { Language } from '../templates/language.ts'
import { simplifiedChinese } from '../templates/zh-cn.ts'

/** A language that messages are written in. */
export type MessageLocale = 'en' | 'zh-CN'

/** The words of each language. */
export const languages: Readonly<Record<MessageLocale, Language>> = { en: english, 'zh-CN': simplifiedChinese }

/** The first wish that there are words for; English without one. */
export function chooseLocale(wishes: readonly (string | null | undefined)[]): MessageLocale {
  for (const wish of wishes) {
    const language = /^[a-z]{2}/i.exec(wish ?? '')?.[0].toLowerCase()
    if (language === 'en') return 'en'
    if (language === 'zh') return 'zh-CN'
  }
  return 'en'
}
