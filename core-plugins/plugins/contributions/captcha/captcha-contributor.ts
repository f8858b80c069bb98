import type { Scope, TenantResolver } from '#kernel'
import type { Sandbox } from '#sandbox'
import type { CaptchaProvider, CaptchaProviders } from '../../../captcha/contract.ts'
import type { LoadedPlugin } from '../../running/loaded-plugin.ts'
import type { Contributor } from '../contributor.ts'
import type { Offers } from '../offers.ts'
import { CaptchaPatience } from './captcha-patience.ts'

/** Whoever signs in waits no longer. */
const WALL_MS = 2_000

/** What the captchas of plugins stand on. */
export interface CaptchaContributorParts {
  readonly captchas: CaptchaProviders
  readonly offers: Offers
  readonly sandbox: Pick<Sandbox, 'answer'>
  readonly tenants: TenantResolver
}

/**
 * Offers the captchas of plugins to the tenants they run for. One that is paused, quarantined or fails again and again is not
 * offered, and the image takes its place, so that a bad plugin locks nobody out.
 */
export function createCaptchaContributor(parts: CaptchaContributorParts): Contributor {
  return (scope: Scope, plugin: LoadedPlugin) => {
    const declared = plugin.release.manifest.provides?.captcha
    if (!declared || !parts.offers.isGranted(plugin, 'captcha')) return
    scope.use(parts.captchas.register(createProvider(plugin, declared, parts)))
  }
}

function createProvider(
  plugin: LoadedPlugin,
  { code, title }: Pick<CaptchaProvider, 'code' | 'title'>,
  { offers, sandbox, tenants }: CaptchaContributorParts,
): CaptchaProvider {
  const { release, grants } = plugin
  const patience = new CaptchaPatience()

  function ask(name: 'challenge' | 'verify', tenantId: number, input: object): Promise<unknown> {
    return patience.watch(async () => {
      const tenant = tenantId === 0 ? undefined : await tenants.byId(tenantId)
      const text = await sandbox.answer({
        release,
        grants,
        target: { kind: 'captcha', name },
        input: JSON.stringify(input),
        tenant: tenant && { id: tenant.id, code: tenant.code },
        wallMs: WALL_MS,
      })
      return JSON.parse(text) as unknown
    })
  }

  return {
    code,
    ...(title && { title }),
    plugin: release.name,
    // What cannot be guessed may be tried again; the challenge is used up by the right answer.
    oneTry: false,
    isOffered: (tenantId) =>
      Promise.resolve(!patience.isOver && !offers.isPaused(plugin) && offers.isOffered(plugin, 'captcha', tenantId)),
    async challenge({ tenantId, endpoint, action, difficulty }) {
      const made = (await ask('challenge', tenantId, { endpoint, action, difficulty })) as {
        readonly challenge?: unknown
        readonly state?: unknown
      } | null
      return { challenge: made?.challenge, secret: made?.state }
    },
    async verify({ tenantId, endpoint, action, secret, solution }) {
      const verdict = await ask('verify', tenantId, { endpoint, action, solution, state: secret })
      return verdict as { readonly valid: boolean; readonly score?: number }
    },
  }
}
