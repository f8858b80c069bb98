import type { RateLimiter } from '#kernel'
import type { TestMail } from '../capabilities/mail.ts'
import { sandboxLimits } from '../limits.ts'
import { fillPlaceholders, paragraphsOf } from '../manifest/mail-template.ts'
import { pluginHash8 } from '../manifest/names.ts'
import type { MailTemplate, PluginManifest } from '../manifest/plugin-manifest.ts'
import { recordOf, textOf, userIdOf } from './argument.ts'
import type { Argument, CallContext, CapabilityOperations } from './capability.ts'
import { ownLinks } from './own-link.ts'
import type { Provider } from './provider.ts'
import { badArgument, Refusal } from './refusal.ts'

const daySeconds = 86_400
const maxValue = 200
/** Of a body in one language: a template may name one value over and over. */
const maxBody = 20_000

/** An e-mail of a plugin, filled in for every language of its template. */
interface GuestMail {
  readonly plugin: string
  /** Its template's name. */
  readonly template: string
  /** Whose user it is for; 0 = the platform's administrators. */
  readonly tenantId: number
  readonly to: number | 'owner'
  /** By language, `default` among them. */
  readonly subject: Readonly<Record<string, string>>
  /** Paragraphs by language, `default` among them. */
  readonly body: Readonly<Record<string, readonly string[]>>
  /** A page of the plugin's in the console, or null. */
  readonly link: string | null
}

/** What of the platform writes to users. */
export interface MailServices {
  /** Resolves when it is queued, or its reader wants none; throws 404/4040 when the tenant has no such user, 429 beyond its bounds. */
  readonly mail: (mail: GuestMail) => Promise<void>
}

/** E-mails of the plugin's own templates; in a test every user exists, and wants them. */
export const mail: Provider<MailServices> = {
  create: ({ services: { limiter, mail }, manifest }) => createMailCapability(manifest, limiter, mail),
  fake() {
    const mailed: TestMail[] = []
    const keep = ({ tenantId, to, template, subject, body, link }: GuestMail): Promise<void> =>
      Promise.resolve(void mailed.push({ tenantId, to, template, subject, body, link }))
    return { services: { mail: keep }, seen: { mailed } }
  },
}

/** Fills the manifest's templates, and writes to users of the call's tenant: no address ever comes from a plugin. */
export function createMailCapability(
  manifest: Pick<PluginManifest, 'name' | 'mail' | 'slots'>,
  limiter: RateLimiter,
  write: MailServices['mail'],
): CapabilityOperations {
  const { templates = [], perDay = sandboxLimits.mailsPerDay.default } = manifest.mail ?? {}
  const linkOf = ownLinks(manifest)

  async function send(argument: Argument, { plugin, tenantId, limits }: CallContext): Promise<void> {
    const name = textOf(argument, 'template')
    const template = templates.find((each) => each.name === name)
    if (!template) {
      const known = templates.map((each) => each.name).join(', ')
      throw badArgument(`The manifest has no template ${JSON.stringify(name.slice(0, 64))}: it has ${known}`)
    }
    const values = valuesOf(template, recordOf(argument, 'values'))
    const to = argument['to'] === 'owner' ? 'owner' : userIdOf(argument, 'to')
    const link = linkOf(argument)
    const filled = fill(template, values)
    requireShort(filled.body)
    const most = Math.min(perDay, limits.mailsPerDay)
    const { allowed } = await limiter.hit(`plg:${pluginHash8(plugin)}:mails:${tenantId}`, most, daySeconds)
    if (!allowed) throw new Refusal('rate_limited', 'mail_quota', `${most} e-mails a day can be sent`)
    await write({ plugin, template: name, tenantId, to, ...filled, link })
  }

  return { capability: 'mail', operations: { 'mail.send': send } }
}

function fill({ subject, body }: MailTemplate, values: Readonly<Record<string, string>>) {
  const inAll = <Filled>(texts: Readonly<Record<string, string>>, as: (text: string) => Filled) =>
    Object.fromEntries(Object.entries(texts).map(([locale, text]) => [locale, as(text)]))
  return {
    subject: inAll(subject, (text) => fillPlaceholders(text, values)),
    // Set apart before it is filled in: no value makes a paragraph.
    body: inAll(body, (text) => paragraphsOf(text).map((paragraph) => fillPlaceholders(paragraph, values))),
  }
}

function requireShort(body: GuestMail['body']): void {
  const isLong = (paragraphs: readonly string[]): boolean =>
    paragraphs.reduce((sum, { length }) => sum + length, 0) > maxBody
  if (Object.values(body).some(isLong))
    throw new Refusal('invalid', 'mail_too_long', `A filled body has at most ${maxBody} characters`)
}

/** Each value of the template as a text of one line; none may be missing, and no other is taken. */
function valuesOf({ name, values: wanted = [] }: MailTemplate, given: Argument): Readonly<Record<string, string>> {
  const other = Object.keys(given).find((key) => !wanted.includes(key))
  if (other !== undefined)
    throw badArgument(`The template ${name} has no value ${JSON.stringify(other.slice(0, 64))}: ${wanted.join(', ')}`)
  return Object.fromEntries(
    wanted.map((key) => {
      const value = given[key]
      if (typeof value !== 'string' && !Number.isFinite(value))
        throw badArgument(`values.${key} must be a text or a number`)
      const line = String(value).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      if ([...line].length > maxValue)
        throw new Refusal('invalid', 'mail_value_too_long', `A value has at most ${maxValue} characters`)
      return [key, line]
    }),
  )
}
