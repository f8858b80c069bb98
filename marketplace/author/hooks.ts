import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { endWithParent } from '../../kernel/launch.js'
import { checkout } from './checkout.ts'

/** What an author's tests import of the platform, and where it lies. Loaded into the tests' process with `--import`. */
const modules: ReadonlyMap<string, string> = new Map([
  ['@stoa/plugin-sdk', 'sandbox/sdk/index.ts'],
  ['@stoa/plugin-sdk/testing', 'marketplace/testing.ts'],
])

endWithParent()

registerHooks({
  resolve(specifier, context, next) {
    const file = modules.get(specifier)
    if (file === undefined) return next(specifier, context)
    return { url: pathToFileURL(join(checkout, file)).href, shortCircuit: true }
  },
})
