import type { SecretBox } from '#kernel'
import { createSigningKey, type SigningKey } from '#marketplace'
import type { Knex } from 'knex'

const KID = 'site'

/** The key with which this site signs what its administrators upload; made once, the same on every host. */
export async function openSiteKey(db: Knex, secrets: SecretBox): Promise<SigningKey> {
  const made = createSigningKey(KID)
  await db('plugin_site_keys')
    .insert({ kid: KID, public_key: made.publicKey, private_key: secrets.seal(made.privateKey) })
    .onConflict('kid')
    .ignore()
  const row = (await db('plugin_site_keys').where({ kid: KID }).first()) as {
    readonly public_key: string
    readonly private_key: string
  }
  return { kid: KID, publicKey: row.public_key, privateKey: secrets.open(row.private_key) }
}
