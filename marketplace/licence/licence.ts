import { pluginNameForm } from '#sandbox'
import { Ajv } from 'ajv'

/** What a publisher, or for a trial the site itself, promises: which plugin may be used where, for whom and until when. */
export interface Licence {
  readonly v: 1
  readonly typ: 'lic' | 'trial'
  /** Its id, by which it is revoked. */
  readonly jti: string
  /** The id of the key that signed it; the site looks it up among the keys of the publisher. */
  readonly kid: string
  readonly plugin: string
  readonly pub: string
  /** The id of the site it was made for, or `*`. */
  readonly host: string
  /** The tenants it is for, by id, or `*`: exactly one of `tenants` and `seats` is there. */
  readonly tenants?: '*' | readonly number[]
  /** How many tenants it is for, whichever the administrator chooses. */
  readonly seats?: number
  /** What it opens, by the names in the manifest's `licensing`. */
  readonly features: readonly string[]
  /** Seconds since 1970. */
  readonly nbf: number
  /** Seconds since 1970; null = it does not end. */
  readonly exp: number | null
  /** Days after its end in which everything goes on. */
  readonly grace: number
}

/** Bounds of a licence. */
export const licenceLimits = { tokenLength: 16_384, seats: 100_000, tenants: 1_000, features: 100, graceDays: 90 }

/** The year 9999: what lies beyond is no date that a database takes. */
const lastSecond = 253_402_300_799
const id = { type: 'integer', minimum: 1, maximum: 2_147_483_647 }
const second = { type: 'integer', minimum: 0, maximum: lastSecond }
const matching = (pattern: string, maxLength: number) => ({ type: 'string', pattern, maxLength })

// A schema of ours: to hold it against the meta-schema would make every start wait longer than compiling it.
const isForm = new Ajv({ allowUnionTypes: true, validateSchema: false }).compile<Licence>({
  type: 'object',
  additionalProperties: false,
  required: ['v', 'typ', 'jti', 'kid', 'plugin', 'pub', 'host', 'features', 'nbf', 'exp', 'grace'],
  oneOf: [{ required: ['tenants'] }, { required: ['seats'] }],
  properties: {
    v: { const: 1 },
    typ: { enum: ['lic', 'trial'] },
    jti: matching('^[A-Za-z0-9][A-Za-z0-9_-]{7,63}$', 64),
    kid: matching('^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$', 64),
    plugin: matching(pluginNameForm.source, 64),
    pub: matching('^[a-z][a-z0-9]*(-[a-z0-9]+)*$', 64),
    host: matching('^(\\*|site-[0-9a-f]{32})$', 37),
    tenants: {
      oneOf: [
        { const: '*' },
        { type: 'array', minItems: 1, maxItems: licenceLimits.tenants, uniqueItems: true, items: id },
      ],
    },
    seats: { type: 'integer', minimum: 1, maximum: licenceLimits.seats },
    features: {
      type: 'array',
      maxItems: licenceLimits.features,
      uniqueItems: true,
      items: matching('^[a-z0-9]+([_-][a-z0-9]+)*$', 64),
    },
    nbf: second,
    exp: { anyOf: [second, { type: 'null' }] },
    grace: { type: 'integer', minimum: 0, maximum: licenceLimits.graceDays },
  },
})

/** Whether a value says all that a licence says, in its bounds, and nothing else. */
export function isLicence(value: unknown): value is Licence {
  return isForm(value) && value.plugin.startsWith(`${value.pub}.`) && (value.exp === null || value.exp > value.nbf)
}
