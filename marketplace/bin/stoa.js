#!/usr/bin/env node
import { fileURLToPath } from 'node:url'
import { launch } from '../../kernel/launch.js'

await launch(fileURLToPath(new URL('main.ts', import.meta.url)))
