import type { CaptchaDemand } from '../../../core-plugins/captcha/contract.ts'

/** A sign-in or the like, with what is configured, and whether it needs a captcha. */
export interface Demand {
  readonly name: string
  readonly demand: Partial<Omit<CaptchaDemand, 'answer'>>
  readonly platform?: Readonly<Record<string, unknown>>
  readonly tenant?: Readonly<Record<string, unknown>>
  readonly needed: boolean
}

const admin = { tenantId: 0, endpoint: 'admin' } as const
const office = { endpoint: 'tenant' } as const
const register = { action: 'register', failures: 0 } as const

/** When a captcha is needed: what is not said is the default, a user of tenant 5 who signs in. */
export const demands: readonly Demand[] = [
  { name: 'a first sign-in', demand: { failures: 0 }, needed: false },
  { name: 'a sign-in below the threshold', demand: { failures: 2 }, needed: false },
  { name: 'a sign-in at the threshold', demand: { failures: 3 }, needed: true },
  {
    name: 'a threshold of none',
    demand: { failures: 0 },
    tenant: { user_login_captcha_enable_threshold: 0 },
    needed: true,
  },
  { name: 'an account tried from everywhere', demand: { failures: 0, always: true }, needed: true },
  {
    name: 'sign-in switched off',
    demand: { failures: 9, always: true },
    tenant: { user_login_captcha_enabled: false },
    needed: false,
  },
  { name: 'everything switched off', demand: { failures: 9 }, tenant: { captcha_enabled: false }, needed: false },
  { name: 'a code for a sign-in', demand: { action: 'login_code', failures: 3 }, needed: true },
  { name: 'a first code', demand: { action: 'login_code', failures: 0 }, needed: false },
  { name: 'a forgotten password', demand: { action: 'forgot_password', failures: 3 }, needed: true },
  { name: 'a registration', demand: register, needed: true },
  {
    name: 'registration switched off',
    demand: register,
    tenant: { user_registration_captcha_enabled: false },
    needed: false,
  },
  {
    name: 'a registration with everything switched off',
    demand: register,
    tenant: { captcha_enabled: false },
    needed: false,
  },
  {
    name: 'a registration with sign-in switched off',
    demand: register,
    tenant: { user_login_captcha_enabled: false },
    needed: true,
  },
  {
    name: 'the back office at the users’ threshold',
    demand: { ...office, failures: 3 },
    tenant: { captcha_enable_threshold: 4 },
    needed: false,
  },
  {
    name: 'the back office at its own',
    demand: { ...office, failures: 4 },
    tenant: { captcha_enable_threshold: 4 },
    needed: true,
  },
  {
    name: 'the back office while users need none',
    demand: { ...office, failures: 3 },
    tenant: { user_login_captcha_enabled: false },
    needed: true,
  },
  { name: 'the platform below its threshold', demand: { ...admin, failures: 2 }, needed: false },
  { name: 'the platform at its threshold', demand: { ...admin, failures: 3 }, needed: true },
  {
    name: 'the platform at another one',
    demand: { ...admin, failures: 1 },
    platform: { captcha_enable_threshold_admin: 1 },
    needed: true,
  },
  {
    name: 'the platform switched off',
    demand: { ...admin, failures: 9 },
    platform: { login_captcha_enabled: false },
    needed: false,
  },
  {
    name: 'the platform whatever tenants have',
    demand: { ...admin, failures: 3 },
    tenant: { captcha_enabled: false },
    needed: true,
  },
]
