interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string }
}

// While somebody works on the console its sources stand where they lie.
const ownWorkers = import.meta.env.DEV ? /^\/console\// : /^\/console\/(assets|frames)\//

const types = (window as unknown as { readonly trustedTypes?: TrustedTypes }).trustedTypes
const policy = types?.createPolicy('stoa', {
  createScriptURL(url) {
    const { origin, pathname } = new URL(url, location.origin)
    if (origin === location.origin && ownWorkers.test(pathname)) return url
    throw new TypeError(`${pathname} is no worker of the console`)
  },
})

/** Starts one of the console's own workers. */
export function startWorker(url: string): Worker {
  // Browsers without trusted types take the address as it is.
  return new Worker(policy?.createScriptURL(url) ?? url, { type: 'module' })
}
