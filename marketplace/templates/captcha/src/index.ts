import { definePlugin } from '@stoa/plugin-sdk'
import { challenge, verify } from './sum.ts'

export default definePlugin({ captcha: { challenge, verify } })
