import { definePlugin } from '#kernel'
import { captchaGate, captchaProviders } from './contract.ts'
import { groups } from './declared/groups.ts'
import { messages } from './messages.ts'
import { needs } from './needs.ts'
import { captchaRoutes } from './routes.ts'
import { createCaptchas } from './service.ts'

export default definePlugin({
  name: 'captcha',
  version: '1.0.0',
  title: { default: 'Captcha', 'zh-CN': '验证码' },
  description: { default: 'Tells people from programs', 'zh-CN': '区分人与程序' },
  messages,
  config: groups,
  needs,
  provides: [captchaGate, captchaProviders],
  setup(scope, needed) {
    const { settings, providers, challenges, gate } = createCaptchas(scope, needed)
    scope.provide(captchaProviders, providers)
    scope.provide(captchaGate, gate)
    scope.route(...captchaRoutes(challenges, settings, needed.tenants))
  },
})
