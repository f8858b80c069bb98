import { launch } from '../kernel/launch.js'

await launch(new URL('main.ts', import.meta.url).pathname)
