import { definePlugin } from '@stoa/plugin-sdk'
import { lookUp } from './look-up.ts'

export default definePlugin({ aiTools: { lookUp } })
