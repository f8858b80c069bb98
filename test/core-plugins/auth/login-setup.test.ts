// @both-back-ends
import assert from 'node:assert/strict'
import { setup } from '../../../core-plugins/auth/contract.ts'
import { codeOf } from '../../support/auth.ts'
import { identityPlugins, startTestPlatform, testPassword } from '../../support/identity.ts'
import { startTestKernel } from '../../support/kernel.ts'

describe('the set-up', () => {
  const admin = { email: 'first@stoa.test', password: testPassword }

  it('makes one administrator, once, with the site’s name', async () => {
    await using platform = await startTestPlatform()
    const again = await platform.test.api.post('/api/public/setup', { token: 'made up', ...admin })
    const basic = await platform.admin.get('/admin/auth/me')
    assert.deepEqual([codeOf(again), basic.body['data']?.['roles']], [[401, 4013], ['super_admin']])
  })

  it('is refused with a link that came too late, while the link stays good after a weak password', async () => {
    await using test = await startTestKernel({ plugins: identityPlugins })
    const service = test.kernel.services.get(setup)
    const first = await service.createSetupLink()
    const second = await service.createSetupLink()
    const use = (token: string, body: object) => test.api.post('/api/public/setup', { token, ...admin, ...body })
    const answers = [
      await use(first.token, {}),
      await use(second.token, { password: 'short' }),
      await use(second.token, { site_name: 'Acropolis', locale: 'zh-CN', nickname: 'Pericles' }),
      await use(second.token, {}),
    ]
    const third = await service.createSetupLink()
    answers.push(await use(third.token, {}))
    const site = await test.api.get('/api/public/platform/config')
    assert.deepEqual(answers.map(codeOf), [
      [401, 4013],
      [422, 4223],
      [201, 0],
      [401, 4013],
      [409, 4094],
    ])
    assert.deepEqual([await service.isDone(), site.body['data']?.['site_name']], [true, 'Acropolis'])
    assert.equal(second.url.endsWith(`/console/setup#token=${second.token}`), true)
  })
})
