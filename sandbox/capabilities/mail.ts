import type { TemplateName, TemplateValue } from './names.ts'
import type { CapabilityRow, CtxMembers } from './row.ts'

/** An e-mail of one of the manifest's templates. */
interface TemplateMail<Name extends TemplateName> {
  /** As in the manifest's `mail.templates`. */
  readonly template: Name
  /** A user of the calling tenant, or whoever owns it; on admin routes one of the platform's administrators. Never an address. */
  readonly to: number | 'owner'
  /** One for each of the template's `values`; each is shown as text in one line, at most 200 characters, and leads nowhere. */
  readonly values?: Readonly<Record<TemplateValue<Name>, string | number>>
  /** One of the plugin's own pages: a slash and the id of a slot, then what the page is told; at most 500 characters. */
  readonly link?: string
}

/** E-mails to users of the calling tenant, in their language and in the layout of the tenant: 500 a day in a tenant. */
interface Mail {
  /**
   * Resolves when it is safely queued. A user who wants no e-mail of the plugin, or has no address, gets none, and that looks the same.
   * Fails with `not_found` when the tenant has no such user, `bad_request` for a template or values that the manifest does not name,
   * `invalid` for a value that is too long, or a body that is once it is filled in (20,000 characters), `rate_limited` beyond the bounds.
   */
  send<Name extends TemplateName>(mail: TemplateMail<Name>): Promise<void>
}

/** What of `ctx` writes e-mails. */
export interface MailCtx {
  /** Needs the capability `mail`. */
  readonly mail: Mail
}

/** An e-mail that the plugin sent in a test, filled in. */
export interface TestMail {
  /** 0 is the platform. */
  readonly tenantId: number
  readonly to: number | 'owner'
  readonly template: string
  /** By language. */
  readonly subject: Readonly<Record<string, string>>
  /** Its paragraphs, by language. */
  readonly body: Readonly<Record<string, readonly string[]>>
  readonly link: string | null
}

/** What the plugin wrote in a test. */
export interface MailSeen {
  /** Oldest first; every user exists. */
  readonly mailed: readonly TestMail[]
}

/** The member of `ctx` that writes e-mails. */
export const mailCtx: CtxMembers<MailCtx> = {
  mail: {
    by: ['mail'],
    open: (send) => ({ send: (mail) => send('mail.send', mail) }),
    saving: ['send'],
  },
}

/** E-mails of templates that the package brings. */
export const mail = {
  mail: {
    section: { field: 'mail', isPresent: ({ mail }) => (mail?.templates.length ?? 0) > 0, isNeeded: true },
    detail: ({ mail: { templates = [], perDay = 500 } = {} }) => ({
      templates: templates.map(({ name }) => name),
      perDay,
    }),
    called: true,
  },
} as const satisfies Readonly<Record<string, CapabilityRow>>
