import { definePlugin } from '@stoa/plugin-sdk'
import { lookUp, showRate } from './look-up.ts'

export default definePlugin({ handlers: { showRate }, aiTools: { lookUp } })
