import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { generateFernetKey, readEnvironment, StartError } from '#kernel'

const secret = 'a secret of at least thirty-two characters'
const secrets = { APP_SECRET: secret, JWT_KEYS: `k2:${secret},k1:${secret}`, CONFIG_FERNET_KEYS: generateFernetKey() }

describe('the environment', () => {
  let dataDir: string
  beforeEach(() => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'stoa-env-'))
  })
  afterEach(() => rmSync(dataDir, { recursive: true }))

  const read = (variables: Record<string, string>) => readEnvironment({ DATA_DIR: dataDir, ...variables })

  it('has defaults for a developer', () => {
    const { appSecret, jwtKeys, fernetKeys, ...rest } = read({})
    assert.deepEqual(
      [appSecret.length, [...jwtKeys.keys()], fernetKeys.length, rest],
      [
        43,
        ['k1'],
        1,
        {
          production: false,
          port: 3000,
          host: '127.0.0.1',
          dataDir,
          databaseUrl: undefined,
          redisUrl: undefined,
          redisNamespace: '',
          publicUrl: 'http://localhost:3000',
          appSecretPrevious: undefined,
          jwtAlgorithm: 'HS256',
          egressAllowPrivate: new Set(),
          dnsServers: [],
          logLevel: 'warn',
          materialiseDefaults: false,
          seedDemo: true,
          admin: undefined,
          devBootstrapLogin: false,
          pluginDev: false,
          metricsToken: undefined,
        },
      ],
    )
  })

  it('is read as it stands', () => {
    const env = read({
      ...secrets,
      NODE_ENV: 'production',
      PORT: '8080',
      HOST: '::',
      DATABASE_URL: 'postgres://stoa@db/stoa',
      REDIS_URL: 'redis://cache',
      REDIS_NAMESPACE: 'stoa-2',
      PUBLIC_URL: 'https://stoa.test/',
      APP_SECRET_PREVIOUS: secret,
      EGRESS_ALLOW_PRIVATE: 'Mail.test:25, [::1]:80',
      DNS_SERVERS: '192.0.2.1,[2001:db8::1]:53',
      LOG_LEVEL: 'debug',
      STOA_DEMO: '1',
      ADMIN_EMAIL: 'admin@stoa.test',
      ADMIN_PASSWORD: 'x',
      DEV_BOOTSTRAP_LOGIN: '1',
    })
    assert.deepEqual(env, {
      production: true,
      port: 8080,
      host: '::',
      dataDir,
      databaseUrl: 'postgres://stoa@db/stoa',
      redisUrl: 'redis://cache',
      redisNamespace: 'stoa-2',
      publicUrl: 'https://stoa.test',
      appSecret: secret,
      appSecretPrevious: secret,
      jwtAlgorithm: 'HS256',
      jwtKeys: new Map([
        ['k2', secret],
        ['k1', secret],
      ]),
      fernetKeys: [secrets.CONFIG_FERNET_KEYS],
      egressAllowPrivate: new Set(['mail.test:25', '[::1]:80']),
      dnsServers: ['192.0.2.1', '[2001:db8::1]:53'],
      logLevel: 'debug',
      materialiseDefaults: false,
      seedDemo: true,
      admin: { email: 'admin@stoa.test', password: 'x' },
      devBootstrapLogin: false,
      pluginDev: false,
      metricsToken: undefined,
    })
  })

  it('keeps the secrets it makes, readable for its owner alone', () => {
    const first = read({})
    const { mode } = statSync(path.join(dataDir, 'secrets.json'))
    assert.deepEqual([read({}), mode & 0o777], [first, 0o600])
  })

  it('says what to do when the secrets it kept are broken', () => {
    read({})
    writeFileSync(path.join(dataDir, 'secrets.json'), '{')
    assert.throws(() => read({}), /secrets\.json cannot be read: put it back from a backup/)
    assert.equal(readFileSync(path.join(dataDir, 'secrets.json'), 'utf8'), '{')
  })

  const wrong: readonly (readonly [variables: Record<string, string>, message: string])[] = [
    [{ PORT: '70000' }, 'PORT must be an integer from 1 to 65535'],
    [{ PORT: '80.5' }, 'PORT must be an integer from 1 to 65535'],
    [{ PORT: '0' }, 'PORT must be an integer from 1 to 65535'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must be a URL that starts with postgres: or postgresql:'],
    [{ REDIS_URL: 'cache:6379' }, 'REDIS_URL must be a URL that starts with redis: or rediss:'],
    [{ REDIS_NAMESPACE: 'a b' }, 'REDIS_NAMESPACE must have at most 64 letters, digits, dashes and underscores'],
    [{ STOA_DEMO: 'yes' }, 'STOA_DEMO must be one of 0, 1'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of debug, info, warn, error, silent'],
    [{ APP_SECRET: 'short' }, 'APP_SECRET must have at least 32 characters'],
    [{ APP_SECRET_PREVIOUS: 'short' }, 'APP_SECRET_PREVIOUS must have at least 32 characters'],
    [{ JWT_ALG: 'RS256' }, 'JWT_ALG must be one of HS256, EdDSA'],
    [{ JWT_KEYS: `k1:${secret},k1:${secret}` }, 'JWT_KEYS names a key twice'],
    [
      { JWT_ALG: 'EdDSA', JWT_KEYS: `k1:${secret}` },
      'JWT_KEYS must be a list of kid:key, each an Ed25519 private key in base64url (32 bytes or PKCS #8)',
    ],
    [{ JWT_KEYS: 'k1:short' }, 'JWT_KEYS must be a list of kid:secret, each secret at least 32 characters long'],
    [{ CONFIG_FERNET_KEYS: 'x' }, 'CONFIG_FERNET_KEYS must be a list of 32-byte keys in base64url'],
    [{ EGRESS_ALLOW_PRIVATE: 'mail.test' }, 'EGRESS_ALLOW_PRIVATE has an entry that does not fit: mail.test'],
    [{ DNS_SERVERS: 'dns.test' }, 'DNS_SERVERS must be a list of addresses, with or without a port: dns.test'],
    [{ ADMIN_EMAIL: 'a@b.test' }, 'ADMIN_EMAIL and ADMIN_PASSWORD are set together or not at all'],
    [{ ADMIN_EMAIL: 'admin', ADMIN_PASSWORD: 'x' }, 'ADMIN_EMAIL must be an e-mail address'],
    [{ NODE_ENV: 'production', APP_SECRET: secret }, 'In production these must be set: JWT_KEYS, CONFIG_FERNET_KEYS'],
  ]
  for (const [variables, message] of wrong) {
    it(`refuses ${JSON.stringify(variables)} with one line`, () => {
      assert.throws(
        () => read(variables),
        (error) => error instanceof StartError && error.message === message,
      )
    })
  }
})
