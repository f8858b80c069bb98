import { AppError, TenantNotRecognisedError, type TenantResolver } from '#kernel'
import type { GuestTenant, Sandbox } from '#sandbox'
import type { CaptchaProvider, CaptchaProviders } from '../../captcha/contract.ts'
import type { LoadedPlugin } from '../../plugins/contract.ts'
import type { Contributor } from '../../plugins/contract.ts'
import type { Offers } from '../offers.ts'

/** Whoever signs in waits no longer. */
const wallMs = 2_000

/** What the captchas of plugins stand on. */
interface CaptchaContributorParts {
  readonly captchas: CaptchaProviders
  readonly offers: Offers
  readonly sandbox: Pick<Sandbox, 'answer'>
  readonly tenants: TenantResolver
}

/**
 * Offers the captchas of plugins to the tenants they run for. One that is paused or quarantined is not offered, and the image
 * takes its place, so that a bad plugin locks nobody out.
 */
export function createCaptchaContributor(parts: CaptchaContributorParts): Contributor {
  return (scope, plugin) => {
    const declared = plugin.release.manifest.provides?.captcha
    if (!declared || !parts.offers.isGranted(plugin, 'captcha')) return
    scope.register(() => parts.captchas.register(createProvider(plugin, declared, parts)))
  }
}

function createProvider(
  plugin: LoadedPlugin,
  { code, title }: Pick<CaptchaProvider, 'code' | 'title'>,
  { offers, ...parts }: CaptchaContributorParts,
): CaptchaProvider {
  const { name } = plugin.release
  return {
    code,
    ...(title && { title }),
    plugin: name,
    // What cannot be guessed may be tried again; the challenge is used up by the right answer.
    oneTry: false,
    isOffered: (tenantId) => Promise.resolve(!offers.isPaused(plugin) && offers.isOffered(plugin, 'captcha', tenantId)),
    async challenge({ tenantId, endpoint, action, difficulty }) {
      const made = (await ask(plugin, parts, 'challenge', tenantId, { endpoint, action, difficulty })) as {
        readonly challenge?: unknown
        readonly state?: unknown
      } | null
      return { challenge: made?.challenge, secret: made?.state }
    },
    async verify({ tenantId, endpoint, action, secret, solution }) {
      const asked = ask(plugin, parts, 'verify', tenantId, { endpoint, action, solution, state: secret })
      const verdict = await asked.catch((error: unknown) => {
        if (isRefusal(error, name)) return { valid: false }
        throw error
      })
      return verdict as { readonly valid: boolean; readonly score?: number }
    },
  }
}

async function ask(
  { release, grants }: LoadedPlugin,
  { sandbox, tenants }: Pick<CaptchaContributorParts, 'sandbox' | 'tenants'>,
  handler: 'challenge' | 'verify',
  tenantId: number,
  input: object,
): Promise<unknown> {
  const target = { kind: 'captcha', name: handler } as const
  const tenant = await findTenant(tenants, tenantId)
  const text = await sandbox.answer({ release, grants, target, input: JSON.stringify(input), tenant, wallMs: wallMs })
  return JSON.parse(text) as unknown
}

async function findTenant(tenants: TenantResolver, tenantId: number): Promise<GuestTenant | undefined> {
  if (tenantId === 0) return undefined
  const tenant = await tenants.byId(tenantId)
  // Without a tenant the guest would work for the platform.
  if (!tenant) throw new TenantNotRecognisedError()
  return { id: tenant.id, code: tenant.code }
}

/** What an author says against the caller's input is no failure: else whoever sends nonsense would switch the captcha off. */
function isRefusal(error: unknown, plugin: string): boolean {
  return error instanceof AppError && error.status < 500 && error.reason.startsWith(`plugin.${plugin}.`)
}
