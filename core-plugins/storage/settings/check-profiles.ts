import { compileSchemaCheck, type Localised } from '#kernel'
import type { ConfigObjection, ConfigProposal } from '../../config/contract.ts'
import type { DriverTable } from '../drivers/driver-table.ts'
import { isSecretName } from '../drivers/secret-name.ts'
import { objectTo } from './object-to.ts'
import { joinSecrets } from '../volumes/profiles.ts'
import { texts } from '../texts/texts.ts'

const profilesKey = 'tenant_storage_profiles'
const secretsKey = 'tenant_storage_profile_secrets'

const shape = compileSchemaCheck(
  {
    type: 'array',
    maxItems: 100,
    items: {
      type: 'object',
      required: ['id', 'name', 'driver'],
      additionalProperties: false,
      properties: {
        id: { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]{0,39}$' },
        name: { type: 'string', minLength: 1, maxLength: 80 },
        driver: { type: 'string', minLength: 1, maxLength: 80 },
        config: { type: 'object' },
        base_url: { type: 'string', pattern: '^(https?://\\S{1,2000})?$' },
      },
    },
  },
  'exact',
  'lazily',
)
const secretsShape = compileSchemaCheck(
  { type: 'object', additionalProperties: { type: 'string', maxLength: 5000 } },
  'exact',
  'lazily',
)

const sentences = {
  shape: texts.of('profiles.shape'),
  unique: texts.of('profiles.unique'),
  driver: texts.of('profiles.driver'),
  secret: texts.of('profiles.secret'),
  secrets: texts.of('profiles.secrets'),
  orphan: texts.of('profiles.orphan'),
} as const satisfies Readonly<Record<string, Localised>>

type Profiles = Parameters<typeof joinSecrets>[0]

/** Holds the profiles that are offered to tenants against the schemas of their drivers. */
export function checkProfiles(drivers: DriverTable, { keys, values }: ConfigProposal): readonly ConfigObjection[] {
  if (!keys.includes(profilesKey) && !keys.includes(secretsKey)) return []
  if (!shape.isValid(values[profilesKey])) return [{ key: profilesKey, rule: 'shape', message: sentences.shape }]
  if (!secretsShape.isValid(values[secretsKey])) return [{ key: secretsKey, rule: 'shape', message: sentences.secrets }]
  const profiles = values[profilesKey] as Profiles
  const secrets = values[secretsKey] as Readonly<Record<string, string>>
  const joined = joinSecrets(profiles, secrets)
  return [
    ...profiles.flatMap(({ id, config = {} }, at) => [
      ...(profiles.findIndex((other) => other.id === id) < at ? [object('unique', { id })] : []),
      ...Object.keys(config).flatMap((name) => (isSecretName(name) ? [object('secret', { id, setting: name })] : [])),
    ]),
    ...joined.flatMap(({ driver, config }) =>
      drivers.find(driver)
        ? objectTo(drivers, profilesKey, 'platform', driver, config)
        : [object('driver', { driver })],
    ),
    ...Object.keys(secrets).flatMap((secret) => {
      const [id, ...name] = secret.split('.')
      const isWanted = profiles.some((profile) => profile.id === id) && isSecretName(name.join('.'))
      const message = sentences.orphan
      return isWanted ? [] : [{ key: secretsKey, rule: 'orphan', message, params: { secret } }]
    }),
  ]
}

function object(rule: keyof typeof sentences, params: Readonly<Record<string, string>>): ConfigObjection {
  return { key: profilesKey, rule, message: sentences[rule], params }
}
