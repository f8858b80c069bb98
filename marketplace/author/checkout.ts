import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'

const require = createRequire(import.meta.url)

/** The folder that this program lies in: a checkout of the platform, or the package of its command line. */
export const checkout = resolve(import.meta.dirname, '../..')

/** A file of a package that comes with this program, wherever npm has put it. */
export function packageFile(name: string): string {
  return require.resolve(name)
}

/** Where the SDK that authors' editors read lies: its sources in a checkout, its declarations beside the package of this program. */
export const sdkTypes = import.meta.filename.endsWith('.ts')
  ? {
      main: resolve(checkout, 'sandbox/sdk/index.ts'),
      testing: resolve(checkout, 'sandbox/sdk/testing/index.ts'),
      web: resolve(checkout, 'sandbox/sdk/web'),
    }
  : declared(dirname(packageFile('@stoa/plugin-sdk/package.json')))

function declared(folder: string): { readonly main: string; readonly testing: string; readonly web: string } {
  return {
    main: resolve(folder, 'sdk/index.d.ts'),
    testing: resolve(folder, 'sdk/testing/index.d.ts'),
    web: resolve(folder, 'sdk/web'),
  }
}
