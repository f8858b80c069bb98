import { chooseLocale, type Locale } from '#kernel'
import type { ConfigReader } from '../../config/contract.ts'
import type { Message } from '../contract.ts'
import type { MessageText } from '../drivers/driver.ts'
import { cleanText, cleanValues } from './clean-values.ts'
import { presentTime } from './present-time.ts'
import { writeMessage } from './write-message.ts'

/** Writes messages out. */
export interface Renderer {
  /** In the reader's language, otherwise the tenant's, otherwise the platform's. */
  render(message: Message): Promise<MessageText>
}

/** Makes the renderer; names, languages and time zones come from the configuration. */
export function createRenderer(config: ConfigReader): Renderer {
  const read = (key: string, tenantId: number): Promise<string> => config.get(key, tenantId, '')

  async function localeOf({ locale, tenantId }: Message): Promise<Locale> {
    const tenant = tenantId > 0 ? await read('locale', tenantId) : ''
    return chooseLocale(locale, tenant, await read('default_locale', 0))
  }

  async function zonesOf({ tenantId }: Message): Promise<readonly string[]> {
    return [tenantId > 0 ? await read('timezone', tenantId) : '', await read('default_timezone', 0)]
  }

  return {
    async render(message) {
      const [locale, zones, siteName] = await Promise.all([localeOf(message), zonesOf(message), read('site_name', 0)])
      const site = cleanText(siteName, 64)
      const values = new Map(cleanValues(message.values))
      const time = values.get('time')
      if (time !== undefined) values.set('time', presentTime(time, locale, zones))
      values.set('site', site).set('sender', values.get('tenant') ?? site)
      return { ...writeMessage(message.template, locale, values), sender: site }
    },
  }
}
