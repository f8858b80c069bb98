import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { Answer, Body } from '../../support/api.ts'
import { admin, errorsOf, owner, plugins } from '../../support/configuration.ts'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'

describe('public configuration', () => {
  let host: TestKernel
  before(async () => void (host = await startTestKernel({ plugins, env: { PUBLIC_URL: 'https://stoa.test:8443' } })))
  after(() => host[Symbol.asyncDispose]())

  it('of the platform has what the interface names, with a version', async () => {
    const { status, headers, body } = await host.api.get('/api/public/platform/config')
    assert.deepEqual(
      [status, body['data']],
      [
        200,
        {
          platform_domains: ['localhost'],
          site_name: 'AI Platform',
          site_description: '',
          site_logo: '',
          logo_dark: '',
          site_favicon: '',
          brand_color: '',
          site_copyright: '',
          site_icp: '',
          locale: 'en',
          timezone: 'UTC',
          tenant_domain_suffix: 'localhost',
          domain_verification_prefix: '_tenant-verify',
          maintenance_mode: false,
          maintenance_message: '',
          login_captcha_enabled: true,
          captcha_provider: 'image',
          captcha_plugin: '',
          captcha_difficulty: 'medium',
          captcha_enable_threshold_admin: 3,
          login_max_attempts: 5,
          login_lockout_minutes: 15,
          password_min_length: 12,
          password_complexity: 'none',
          password_expiry_days: 0,
          session_timeout_minutes: 1440,
          session_max_devices: 5,
          storage: {
            driver: 'local',
            base_url: '',
            chunk_size_mb: 5,
            max_file_size_mb: 50,
            allowed_extensions:
              'jpg jpeg png gif webp pdf txt md csv json doc docx xls xlsx ppt pptx zip mp3 wav mp4'.split(' '),
          },
        },
      ],
    )
    const known = { headers: { 'if-none-match': String(headers['etag']) } }
    assert.equal((await host.api.get('/api/public/platform/config', known)).status, 304)
    await host.api.put('/admin/configs/groups/platform_basic', { site_name: 'Other' }, { token: admin })
    assert.equal((await host.api.get('/api/public/platform/config', known)).status, 200)
  })

  it('of a tenant follows the host, and inherits what it leaves empty', async () => {
    const get = (tenantHost: string): Promise<Answer> => host.api.get('/api/public/tenant/config', { host: tenantHost })
    await host.api.put(
      '/configs/groups/tenant_legal',
      { terms: '<p>&nbsp;</p>', privacy_policy: '<p>Ours</p>' },
      { token: owner },
    )
    await host.api.put('/configs/groups/platform_captcha', { captcha_difficulty: 'hard' }, { token: admin })
    const { status, body } = await get('t5.localhost')
    const { storage: files, ...rest } = body['data'] as Record<string, unknown>
    assert.deepEqual(
      [status, (files as Body)['driver'], rest],
      [
        200,
        'local',
        {
          tenant_id: 5,
          tenant_code: 't5',
          tenant_name: 'Tenant 5',
          logo_url: '',
          favicon_url: '',
          logo_dark_url: '',
          brand_color: '',
          footer_copyright: '',
          icp: '',
          locale: '',
          timezone: '',
          login_bg: '',
          login_title: '',
          login_subtitle: '',
          login_methods: ['password', 'email_code'],
          allow_registration: false,
          registration_approval: false,
          login_max_attempts: 5,
          login_lockout_minutes: 15,
          password_min_length: 8,
          password_complexity: 'none',
          session_timeout: 10_080,
          captcha_enabled: true,
          user_login_captcha_enabled: true,
          user_registration_captcha_enabled: true,
          captcha_enable_threshold: 3,
          user_login_captcha_enable_threshold: 3,
          captcha_provider: 'image',
          captcha_plugin: '',
          captcha_difficulty: 'hard',
          allow_profile_edit: true,
          email_notification: true,
          sms_notification: false,
          api_access: true,
          file_upload: true,
          privacy_policy_url: '',
          terms_url: '',
          privacy_policy_internal: true,
          terms_internal: false,
          subdomain: 't5',
          subdomain_url: 'https://t5.localhost:8443',
        },
      ],
    )
    assert.deepEqual([(await get('localhost')).status, (await get('localhost')).body['code']], [404, 4041])
  })
})

describe('trusted proxies', () => {
  it('are those of the configuration, from the moment it changes', async () => {
    await using host = await startTestKernel({ plugins })
    const forwarded = { headers: { 'x-forwarded-host': 't5.localhost' } }
    const get = (): Promise<Answer> => host.api.get('/api/public/tenant/config', forwarded)
    assert.equal((await get()).status, 404)
    await host.api.put('/configs/groups/platform_domain', { trusted_proxies: ['127.0.0.0/8', '::1'] }, { token: admin })
    assert.deepEqual((await get()).body['data']?.['tenant_id'], 5)
    const wrong = await host.api.put(
      '/configs/groups/platform_domain',
      { trusted_proxies: ['nobody'] },
      { token: admin },
    )
    assert.deepEqual(errorsOf(wrong), [422, 4222, ['trusted_proxies pattern']])
  })
})
