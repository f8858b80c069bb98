import { definePlugin, pluginHost, tenantResolver } from '#kernel'
import { configReader } from '../config/contract.ts'
import { ChallengeStore } from './challenge-store.ts'
import { Challenges } from './challenges.ts'
import { captchaGate, captchaProviders } from './contract.ts'
import { createGate } from './gate.ts'
import { createImageProvider } from './image/image-provider.ts'
import { messages } from './messages.ts'
import { OfferedProviders } from './offered-providers.ts'
import { ProviderTable } from './provider-table.ts'
import { captchaRoutes } from './routes.ts'
import { CaptchaSettings } from './settings.ts'

export default definePlugin({
  name: 'captcha',
  version: '1.0.0',
  title: { default: 'Captcha', 'zh-CN': '验证码' },
  description: { default: 'Tells people from programs', 'zh-CN': '区分人与程序' },
  messages,
  needs: { config: configReader, tenants: tenantResolver, host: pluginHost },
  provides: [captchaGate, captchaProviders],
  setup(scope, { config, tenants, host }) {
    const settings = new CaptchaSettings(config)
    const table = new ProviderTable()
    const image = createImageProvider(scope.secrets.derive('captcha.image-answer'))
    scope.use(table.register(image))
    const offered = new OfferedProviders(table, settings, host, image)
    const challenges = new Challenges({ store: new ChallengeStore(scope.cache), offered, settings })
    scope.provide(captchaProviders, table)
    scope.provide(captchaGate, createGate(settings, offered, challenges))
    scope.route(...captchaRoutes(challenges, settings, tenants))
  },
})
