interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string }
}

const types = (window as unknown as { readonly trustedTypes?: TrustedTypes }).trustedTypes
const policy = types?.createPolicy('stoa', {
  createScriptURL(url) {
    const { origin, pathname } = new URL(url, location.origin)
    if (origin === location.origin && /^\/console\/(assets|frames)\//.test(pathname)) return url
    throw new TypeError(`${pathname} is no worker of the console`)
  },
})

/** Starts one of the console's own workers. */
export function startWorker(url: string): Worker {
  // Browsers without trusted types take the address as it is.
  return new Worker(policy?.createScriptURL(url) ?? url, { type: 'module' })
}
