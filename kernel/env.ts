import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import path from 'node:path'
import { generateFernetKey } from './data/secret-box.ts'
import { StartError } from './start-error.ts'

/** The environment, read and checked once. */
export interface Environment {
  readonly production: boolean
  readonly port: number
  readonly host: string
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly redisUrl: string | undefined
  /** Sets this platform's keys and channels apart from those of others on the same Redis. */
  readonly redisNamespace: string
  readonly publicUrl: string
  readonly appSecret: string
  /** The one before, while links that it signed still are to be good. */
  readonly appSecretPrevious: string | undefined
  /** How access tokens are signed: HS256, or EdDSA (Ed25519) where others verify them with /.well-known/jwks.json. */
  readonly jwtAlgorithm: 'HS256' | 'EdDSA'
  /**
   * kid → key; the first signs, all verify. With HS256 a secret of at least 32 characters, with EdDSA the private key in
   * base64url: its 32 bytes, or the 48 bytes of PKCS #8 as `openssl genpkey -algorithm ed25519 -outform der` gives them.
   */
  readonly jwtKeys: ReadonlyMap<string, string>
  readonly fernetKeys: readonly string[]
  /** `host:port` entries that the guarded HTTP client may reach although they are private. */
  readonly egressAllowPrivate: ReadonlySet<string>
  readonly dnsServers: readonly string[]
  readonly logLevel: string
  readonly seedDemo: boolean
  readonly admin: { readonly email: string; readonly password: string } | undefined
  readonly devBootstrapLogin: boolean
  /** Whether the release of an installed plugin may be replaced in place, as `stoa dev` does at every change of its files. */
  readonly pluginDev: boolean
  /** What a scraper shows to read /metrics; without it only administrators read it. */
  readonly metricsToken: string | undefined
  /** Whether a tenant's first access stores the defaults of every item as its own values. */
  readonly materialiseDefaults: boolean
}

type Variables = Readonly<Record<string, string | undefined>>
// What stands before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410).
const ed25519Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')
const secretNames = ['APP_SECRET', 'JWT_KEYS', 'CONFIG_FERNET_KEYS'] as const

/** Reads and checks the environment; a wrong value throws a StartError that names it. In development missing secrets are made in DATA_DIR. */
export function readEnvironment(variables: Variables = process.env): Environment {
  const production = variables['NODE_ENV'] === 'production'
  // Not 0: the address would be known only once it listens, and tokens and links name it before.
  const port = integer(variables, 'PORT', 3000, 1, 65535)
  const dataDir = path.resolve(variables['DATA_DIR'] || path.join(import.meta.dirname, '..', '.data'))
  const secrets = readSecrets(variables, dataDir, production)
  const jwtAlgorithm = choice(variables, 'JWT_ALG', ['HS256', 'EdDSA'] as const, 'HS256')
  return {
    production,
    port,
    host: variables['HOST'] || (production ? '0.0.0.0' : '127.0.0.1'),
    dataDir,
    databaseUrl: url(variables, 'DATABASE_URL', ['postgres:', 'postgresql:']),
    redisUrl: url(variables, 'REDIS_URL', ['redis:', 'rediss:']),
    redisNamespace: word(variables, 'REDIS_NAMESPACE'),
    publicUrl: (url(variables, 'PUBLIC_URL', ['http:', 'https:']) ?? `http://localhost:${port}`).replace(/\/$/, ''),
    appSecret: secrets.APP_SECRET,
    appSecretPrevious: previousSecret(variables),
    jwtAlgorithm,
    jwtKeys: keyRing(secrets.JWT_KEYS, jwtAlgorithm),
    fernetKeys: fernetKeys(secrets.CONFIG_FERNET_KEYS),
    egressAllowPrivate: new Set(list(variables, 'EGRESS_ALLOW_PRIVATE', /^(\[[0-9a-f:.]+\]|[^\s:,]+):\d{1,5}$/i)),
    dnsServers: dnsServers(variables),
    logLevel: choice(
      variables,
      'LOG_LEVEL',
      ['debug', 'info', 'warn', 'error', 'silent'],
      production ? 'info' : 'warn',
    ),
    seedDemo: flag(variables, 'STOA_DEMO', !production),
    admin: admin(variables),
    devBootstrapLogin: !production && flag(variables, 'DEV_BOOTSTRAP_LOGIN', false),
    pluginDev: !production && flag(variables, 'STOA_DEV', false),
    metricsToken: metricsToken(variables),
    materialiseDefaults: flag(variables, 'CONFIG_MATERIALISE_DEFAULTS', false),
  }
}

function previousSecret({ APP_SECRET_PREVIOUS: secret }: Variables): string | undefined {
  if (!secret) return undefined
  if (secret.length >= 32) return secret
  throw new StartError('APP_SECRET_PREVIOUS must have at least 32 characters')
}

function integer(variables: Variables, name: string, otherwise: number, min: number, max: number): number {
  const text = variables[name]
  if (!text) return otherwise
  const value = Number(text)
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw new StartError(`${name} must be an integer from ${min} to ${max}`)
}

function url(variables: Variables, name: string, protocols: readonly string[]): string | undefined {
  const text = variables[name]
  if (!text) return undefined
  if (protocols.includes(URL.parse(text)?.protocol ?? '')) return text
  throw new StartError(`${name} must be a URL that starts with ${protocols.join(' or ')}`)
}

function word(variables: Variables, name: string): string {
  const text = variables[name] ?? ''
  if (/^[A-Za-z0-9_-]{0,64}$/.test(text)) return text
  throw new StartError(`${name} must have at most 64 letters, digits, dashes and underscores`)
}

function choice<const T extends string>(
  variables: Variables,
  name: string,
  values: readonly T[],
  otherwise: NoInfer<T>,
): T {
  const text = variables[name] || otherwise
  const value = values.find((known) => known === text)
  if (value !== undefined) return value
  throw new StartError(`${name} must be one of ${values.join(', ')}`)
}

function flag(variables: Variables, name: string, otherwise: boolean): boolean {
  return choice(variables, name, ['0', '1'], otherwise ? '1' : '0') === '1'
}

function list(variables: Variables, name: string, pattern: RegExp): readonly string[] {
  const entries = (variables[name] ?? '').split(',').flatMap((entry) => entry.trim().toLowerCase() || [])
  const wrong = entries.find((entry) => !pattern.test(entry))
  if (wrong === undefined) return entries
  throw new StartError(`${name} has an entry that does not fit: ${wrong}`)
}

function dnsServers(variables: Variables): readonly string[] {
  const servers = list(variables, 'DNS_SERVERS', /^\S+$/)
  const wrong = servers.find((server) => isIP(server.replace(/^\[?([^\]]+?)\]?(:\d+)?$/, '$1')) === 0)
  if (wrong === undefined) return servers
  throw new StartError(`DNS_SERVERS must be a list of addresses, with or without a port: ${wrong}`)
}

function metricsToken({ METRICS_TOKEN: token }: Variables): string | undefined {
  if (!token) return undefined
  if (/^\S{16,512}$/.test(token)) return token
  throw new StartError('METRICS_TOKEN must have 16 to 512 characters and no spaces')
}

function admin(variables: Variables): Environment['admin'] {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = variables
  if (!email && !password) return undefined
  if (!email || !password) throw new StartError('ADMIN_EMAIL and ADMIN_PASSWORD are set together or not at all')
  if (!/^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/.test(email)) throw new StartError('ADMIN_EMAIL must be an e-mail address')
  return { email, password }
}

function readSecrets(
  variables: Variables,
  dataDir: string,
  production: boolean,
): Record<(typeof secretNames)[number], string> {
  const missing = secretNames.filter((name) => !variables[name])
  if (production && missing.length > 0) throw new StartError(`In production these must be set: ${missing.join(', ')}`)
  const stored = missing.length > 0 ? storedSecrets(dataDir) : {}
  const [appSecret, jwtKeys, keys] = secretNames.map((name) => variables[name] || stored[name] || '')
  if (!appSecret || appSecret.length < 32) throw new StartError('APP_SECRET must have at least 32 characters')
  return { APP_SECRET: appSecret, JWT_KEYS: jwtKeys ?? '', CONFIG_FERNET_KEYS: keys ?? '' }
}

function storedSecrets(dataDir: string): Record<string, string> {
  const file = path.join(dataDir, 'secrets.json')
  mkdirSync(dataDir, { recursive: true, mode: 0o755 })
  if (!existsSync(file)) {
    const secrets = {
      APP_SECRET: randomBytes(32).toString('base64url'),
      JWT_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
      CONFIG_FERNET_KEYS: generateFernetKey(),
    }
    const draft = `${file}.${process.pid}`
    writeFileSync(draft, JSON.stringify(secrets, null, 2), { mode: 0o600, flush: true })
    // Two processes may start at once: the first one's secrets stand, and both read them.
    putUnlessThere(draft, file)
  }
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  } catch {
    throw new StartError(`${file} cannot be read: put it back from a backup, what was sealed with it is lost otherwise`)
  }
}

function putUnlessThere(draft: string, file: string): void {
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
}

function keyRing(text: string, algorithm: Environment['jwtAlgorithm']): ReadonlyMap<string, string> {
  const keys = text.split(',').map((entry) => entry.trim().split(':') as [string, string])
  const isKey = algorithm === 'EdDSA' ? isEd25519Key : (secret: string) => secret.length >= 32
  const wrong = keys.some(([kid, key, ...rest]) => !kid || !key || !isKey(key) || rest.length > 0)
  if (wrong && algorithm === 'EdDSA') {
    throw new StartError(
      'JWT_KEYS must be a list of kid:key, each an Ed25519 private key in base64url (32 bytes or PKCS #8)',
    )
  }
  if (wrong) throw new StartError('JWT_KEYS must be a list of kid:secret, each secret at least 32 characters long')
  if (new Set(keys.map(([kid]) => kid)).size < keys.length) throw new StartError('JWT_KEYS names a key twice')
  return new Map(keys)
}

/** Whether a text is the 32 bytes of an Ed25519 private key, or its PKCS #8 form. */
function isEd25519Key(text: string): boolean {
  if (!/^[\w+/-]+=*$/.test(text)) return false
  const bytes = Buffer.from(text, 'base64url')
  return bytes.length === 32 || (bytes.length === 48 && bytes.subarray(0, 16).equals(ed25519Prefix))
}

function fernetKeys(text: string): readonly string[] {
  const keys = text.split(',').map((key) => key.trim())
  if (keys.every((key) => Buffer.from(key, 'base64url').length === 32)) return keys
  throw new StartError('CONFIG_FERNET_KEYS must be a list of 32-byte keys in base64url')
}
