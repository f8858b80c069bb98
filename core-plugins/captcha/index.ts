import { definePlugin } from '#kernel'
import { captchaGate, captchaProviders } from './contract.ts'
import { groups } from './declared/groups.ts'
import { needs } from './needs.ts'
import { setupCaptcha } from './setup.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'captcha',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  messages: texts.messages,
  config: groups,
  needs,
  provides: [captchaGate, captchaProviders],
  setup: setupCaptcha,
})
