import assert from 'node:assert/strict'
import type { ConfigReader } from '../../../core-plugins/config/contract.ts'
import { PackagePolicy } from '../../../core-plugins/plugins/releases/package-policy.ts'

interface Site {
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
  readonly uploads?: string
  readonly offers?: string
  readonly isDevelopment?: boolean
}

function policyOf({
  allow = [],
  deny = [],
  uploads = 'unsigned',
  offers = 'unsigned',
  isDevelopment = false,
}: Site = {}) {
  const values: Readonly<Record<string, unknown>> = {
    ...{ marketplace_allow: allow, marketplace_deny: deny },
    ...{ upload_min_trust: uploads, marketplace_min_trust: offers },
  }
  const get = (key: string) => Promise.resolve(values[key])
  return new PackagePolicy({ get } as unknown as ConfigReader, { isDevelopment })
}

const letIn = (work: Promise<void>): Promise<string> =>
  work.then(
    () => 'let in',
    (error: unknown) => (error as { readonly reason: string }).reason,
  )
const lists = [
  [{ deny: ['acme.crm'] }, 'plugin_not_allowed'],
  [{ deny: ['acme.*'] }, 'plugin_not_allowed'],
  [{ allow: ['other.*'] }, 'plugin_not_allowed'],
  [{ allow: ['acme.*'], deny: ['acme.crm'] }, 'plugin_not_allowed'],
  [{ allow: ['acme.*'], deny: ['acme.other'] }, 'let in'],
] as const

describe('which packages a site lets in', () => {
  const name = 'acme.crm'
  const source = { minTrust: 'unsigned', allow: [], deny: [] } as const

  it('are those whose names it lets in, uploaded or offered', async () => {
    for (const [site, expected] of lists) {
      assert.equal(await letIn(policyOf(site).requireUpload({ name }, 'official')), expected)
      assert.equal(await letIn(policyOf(site).requireOffer({ name }, 'official', source)), expected)
      const own = { ...source, allow: [], deny: [], ...site }
      assert.equal(await letIn(policyOf().requireOffer({ name }, 'official', own)), expected)
    }
  })

  it('are as far trusted as the site, the source and the author ask', async () => {
    const low = 'plugin_trust_too_low'
    const uploads = policyOf({ uploads: 'community' })
    assert.deepEqual(
      [
        await letIn(uploads.requireUpload({ name }, 'unsigned')),
        await letIn(uploads.requireUpload({ name }, 'community')),
        await letIn(uploads.requireUpload({ name, minTrust: 'verified' }, 'community')),
        await letIn(policyOf({ isDevelopment: true }).requireUpload({ name, minTrust: 'verified' }, 'community')),
      ],
      [low, 'let in', low, 'let in'],
    )
    const offers = policyOf({ offers: 'community' })
    assert.deepEqual(
      [
        await letIn(offers.requireOffer({ name }, 'unsigned', source)),
        await letIn(offers.requireOffer({ name }, 'community', { ...source, minTrust: 'verified' })),
        await letIn(offers.requireOffer({ name, minTrust: 'official' }, 'verified', source)),
        await letIn(offers.requireOffer({ name }, 'community', source)),
      ],
      [low, low, low, 'let in'],
    )
  })
})
