// Plain JavaScript that an old Node can read: npm runs it after an install, and the platform beside itself when sources changed.
import { launch } from '../../kernel/launch.js'

await launch(new URL('build/main.ts', import.meta.url).pathname)
