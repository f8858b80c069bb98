import { locales, objectOf, orNull } from '#kernel/schemas'
import { userBody } from './shown-user.ts'

const word = { type: 'string', maxLength: 254 } as const
const password = { type: 'string', minLength: 1, maxLength: 1024 } as const
// A token of any length is one that works or does not: whoever sends a wrong one learns nothing of its form.
const refreshToken = { type: 'string', minLength: 1 } as const
const deviceName = { type: 'string', maxLength: 128 } as const
const tokenDelivery = { enum: ['body', 'cookie'] } as const
const named = { username: word, account: word, email: word, phone: word } as const
/** The answer to a captcha, nested or flat. */
export const captchaFields = {
  captcha: {
    type: 'object',
    additionalProperties: false,
    properties: { provider_code: word, challenge_id: word, solution: { type: 'string', maxLength: 4096 } },
  },
  captcha_provider_code: word,
  captcha_challenge_id: word,
  captcha_solution: { type: 'string', maxLength: 4096 },
} as const

/** OAuth 2's password grant; members it does not know are ignored, as RFC 6749 wants it. */
export const loginForm = {
  type: 'object',
  required: ['username', 'password'],
  properties: {
    grant_type: { const: 'password' },
    username: { ...word, minLength: 1 },
    password,
    scope: { type: 'string' },
    client_id: { type: 'string' },
    client_secret: { type: 'string' },
    tenant_code: word,
    client_ip: word,
    ...captchaFields,
  },
} as const

/** Sign-in as JSON, by whichever name. */
export const loginBody = {
  type: 'object',
  additionalProperties: false,
  required: ['password'],
  anyOf: [{ required: ['username'] }, { required: ['account'] }, { required: ['email'] }, { required: ['phone'] }],
  properties: {
    ...named,
    password,
    tenant_code: word,
    client_ip: word,
    device_name: deviceName,
    token_delivery: tokenDelivery,
    ...captchaFields,
  },
  examples: [{ account: 'admin@example.com', password: 'a long enough passphrase' }],
} as const

/** The second step of a sign-in. */
export const mfaBody = {
  type: 'object',
  additionalProperties: false,
  required: ['mfa_token', 'method', 'code'],
  properties: {
    mfa_token: { type: 'string', minLength: 1, maxLength: 128 },
    method: { enum: ['totp', 'recovery_code'] },
    code: { type: 'string', minLength: 1, maxLength: 64 },
    client_ip: word,
    device_name: deviceName,
    token_delivery: tokenDelivery,
  },
  examples: [{ mfa_token: 'mfa_2b7c…', method: 'totp', code: '123456' }],
} as const

/** A developer's way in. */
export const devLoginBody = {
  type: 'object',
  additionalProperties: false,
  required: ['account'],
  properties: { account: { ...word, minLength: 1 }, tenant_code: word },
} as const

/** The exchange of a refresh token, as JSON or as OAuth 2's form; it may come in the cookie instead. */
export const refreshBody = {
  type: 'object',
  properties: { grant_type: { const: 'refresh_token' }, refresh_token: refreshToken },
  examples: [{ refresh_token: 'rt_Nw3mwqgAToaNMiAyUvSUJw' }],
} as const

/** The end of one session or all. */
export const logoutBody = {
  type: 'object',
  additionalProperties: false,
  properties: { all: { type: 'boolean' }, refresh_token: refreshToken },
  examples: [{ all: true }],
} as const

/** What the end of sessions answers. */
export const logoutAnswer = {
  type: 'object',
  required: ['revoked'],
  properties: { revoked: { type: 'integer' } },
} as const

/** A change of the own password. */
export const passwordBody = {
  type: 'object',
  additionalProperties: false,
  required: ['old_password', 'new_password'],
  properties: { old_password: password, new_password: password },
  examples: [{ old_password: 'a long enough passphrase', new_password: 'another passphrase that is long' }],
} as const

/** The making of the first administrator. */
export const setupBody = {
  type: 'object',
  additionalProperties: false,
  required: ['token', 'email', 'password'],
  properties: {
    token: { type: 'string', minLength: 1, maxLength: 256 },
    email: { type: 'string', maxLength: 254, pattern: '^[^\\s@]{1,64}@[^\\s@]+\\.[^\\s@]+$' },
    password,
    nickname: { type: 'string', maxLength: 64 },
    site_name: { type: 'string', minLength: 1, maxLength: 64 },
    token_delivery: tokenDelivery,
    locale: { enum: locales },
  },
  examples: [{ token: 'CsgRD-ACnpxzmsBftfJgqJ4g', email: 'admin@example.com', password: 'a long enough passphrase' }],
} as const

const text = { type: 'string' } as const
const texts = { type: 'array', items: text } as const
const tokenProperties = {
  access_token: text,
  token_type: { const: 'Bearer' },
  expires_in: { type: 'integer' },
  refresh_token: { type: ['string', 'null'] },
  refresh_expires_in: { type: 'integer' },
  session_id: text,
  roles: texts,
  tenant: orNull(objectOf({ id: { type: 'integer' }, code: text, name: text })),
  password_change_required: { type: 'boolean' },
} as const

/** A pair of tokens. */
export const tokenPair = objectOf(tokenProperties)

/** A pair of tokens as RFC 6749 wants it. */
export const oauthTokens = objectOf({
  access_token: text,
  token_type: { const: 'Bearer' },
  expires_in: { type: 'integer' },
  refresh_token: text,
  scope: { enum: ['platform', 'tenant'] },
  session_id: text,
  refresh_expires_in: { type: 'integer' },
})

/** A pair of tokens with the user. */
export const signIn = objectOf({ ...tokenProperties, user: userBody })

/** What a caller is told about themselves. */
export const profile = objectOf({
  user: userBody,
  tenant: tokenProperties.tenant,
  roles: texts,
  permissions: texts,
  data_scope: text,
  features: { type: 'object', additionalProperties: { type: 'boolean' } },
  preferences_version: text,
  site: {
    ...objectOf({ name: text, logo: text, logo_dark: text, favicon: text, brand_color: text }),
    description:
      'What the tenant, or the platform, is called and looks like; a picture is an address or the id of an attachment',
  },
  password_rules: {
    ...objectOf({
      min_length: { type: 'integer' },
      complexity: { enum: ['none', 'letters_digits', 'mixed_case_digits', 'all_classes'] },
    }),
    description: 'What a new password has to be',
  },
})

/** The path of one session. */
export const sessionParams = {
  type: 'object',
  required: ['session_id'],
  properties: { session_id: { type: 'string', format: 'uuid' } },
} as const

/** The path of a user's sessions. */
export const userParams = {
  type: 'object',
  required: ['user_id'],
  properties: { user_id: { type: 'integer', minimum: 1, maximum: 2147483647 } },
} as const

/** The path of one of them. */
export const userSessionParams = {
  type: 'object',
  required: ['user_id', 'session_id'],
  properties: { ...userParams.properties, ...sessionParams.properties },
} as const
