import { DecryptError, StartError, type SecretBox } from '#kernel'
import { createSigningKey, publicHalfOf, type SigningKey } from '#marketplace'
import type { Knex } from 'knex'

const kid = 'site'

/** The key with which this site signs what its administrators upload; made once, the same on every host. */
export async function openSiteKey(db: Knex, secrets: SecretBox): Promise<SigningKey> {
  const made = createSigningKey(kid)
  await db('plugin_site_keys')
    .insert({ kid: kid, public_key: made.publicKey, private_key: secrets.seal(made.privateKey) })
    .onConflict('kid')
    .ignore()
  const row = (await db('plugin_site_keys').where({ kid: kid }).first()) as { readonly private_key: string }
  const privateKey = openSealed(secrets, row.private_key)
  // Only what was sealed proves anything: whoever can write to the table can put another public key there.
  return { kid: kid, publicKey: publicHalfOf(privateKey), privateKey }
}

function openSealed(secrets: SecretBox, sealed: string): string {
  try {
    return secrets.open(sealed)
  } catch (error) {
    if (!(error instanceof DecryptError)) throw error
    throw new StartError(
      'CONFIG_FERNET_KEYS does not fit this database: hosts share APP_SECRET, JWT_KEYS and CONFIG_FERNET_KEYS',
      { cause: error },
    )
  }
}
