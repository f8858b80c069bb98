import { LicenseInvalidError, verifyLicence, type Licence } from '#marketplace'
import type { PluginManifest } from '#sandbox'
import type { LicenceAuthority } from '../plugins/contract.ts'
import { endsOf } from './books/licence-times.ts'

/** Clocks of publishers may be ahead by so much. */
const aheadMilliseconds = 5 * 60 * 1000

/** Where a licence is to be used. */
interface LicencePlace {
  readonly manifest: Pick<PluginManifest, 'name' | 'publisher' | 'licensing'>
  /** The id of this site. */
  readonly host: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * The licence in a token that holds here: signed with a key that the manifest names and that is known of its publisher, made
 * for this plugin and this site, begun and not over. Throws 400/4002 naming the rule that it breaks.
 */
export async function admitToken(
  token: string,
  place: LicencePlace,
  authority: Pick<LicenceAuthority, 'findKey'>,
): Promise<Licence> {
  const { publisher, licensing } = place.manifest
  const licence = await verifyLicence(token, async ({ kid }) => {
    if (!licensing?.keys?.includes(kid)) return undefined
    return (await authority.findKey(publisher, kid))?.publicKey
  })
  const fault = findFault(licence, place)
  if (fault) throw new LicenseInvalidError({ problem: fault.problem }, { details: { rule: fault.rule } })
  return licence
}

/** A licence that its publisher revoked: nobody activates it again. */
export function revokedError(): Error {
  return new LicenseInvalidError({ problem: 'its publisher revoked it' }, { details: { rule: 'revoked' } })
}

function findFault(licence: Licence, { manifest, host, now }: LicencePlace) {
  const { graceUntil } = endsOf(licence)
  if (licence.plugin !== manifest.name) return { rule: 'plugin', problem: 'it was made for another plugin' }
  if (licence.pub !== manifest.publisher) return { rule: 'publisher', problem: 'it was made by another publisher' }
  if (licence.host !== '*' && licence.host !== host) return { rule: 'host', problem: 'it was made for another site' }
  if (licence.nbf * 1000 > now + aheadMilliseconds) return { rule: 'not_yet', problem: 'it has not begun' }
  if (graceUntil !== null && graceUntil.getTime() <= now) return { rule: 'over', problem: 'it is over' }
  return undefined
}
